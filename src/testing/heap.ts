import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** An isolate has 128 MB for everything; one request may take 100 MB of it. */
const HEAP = ['--max-old-space-size=70', '--max-semi-space-size=8']

/** What a program prints that has only as much memory as one request may take. Rejects if that is not enough. */
export const printedInLittleMemory = async (program: string, ...args: string[]): Promise<string> =>
  (await promisify(execFile)(process.execPath, [...HEAP, program, ...args])).stdout
