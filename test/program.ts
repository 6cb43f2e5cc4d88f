import { spawnSync } from 'node:child_process'

/** Whether this machine has a program that does not come with npm and Node. Tests that need it are skipped without it. */
export const hasProgram = (name: string): boolean => spawnSync(name, ['--version']).error === undefined
