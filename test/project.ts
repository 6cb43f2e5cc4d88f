// A project of somebody who has installed the same packages, to run and compile printed code in.
import { execFile } from 'node:child_process'
import { copyFile, symlink, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../scripts/root.ts'
import { newFolder } from './folder.ts'

/** The folder of a new project with copies of these files of ours, which is gone after the test. */
export const newProject = async (...files: readonly string[]): Promise<string> => {
  const folder = await newFolder()
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{"type": "module"}')
  await Promise.all(files.map(file => copyFile(join(ROOT, file), join(folder, basename(file)))))
  return folder
}

/** What the compiler, as strict as here, has to say against these programs next to copies of our files. */
export const complaintsAbout = async (
  programs: readonly string[],
  ...files: readonly string[]
): Promise<string> => {
  const folder = await newProject(...files)
  const config = { extends: join(ROOT, 'test', 'tsconfig.json'), include: ['*.ts'] }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
  await Promise.all(programs.map((code, at) => writeFile(join(folder, `program-${at}.ts`), code)))
  const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
  const said = ({ stdout, stderr }: { stdout: string; stderr: string }) => `${stdout}${stderr}`
  return promisify(execFile)(process.execPath, [compiler, '-p', folder]).then(said, said)
}
