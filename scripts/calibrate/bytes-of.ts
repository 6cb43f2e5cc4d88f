import { readFile } from 'node:fs/promises'

/** The contents of a file. Of a folder, the system's own message would not say which. */
export const bytesOf = (file: string): Promise<Buffer> =>
  readFile(file).catch(({ message }: Error) => {
    throw new Error(`${file} cannot be read (${message}).`)
  })
