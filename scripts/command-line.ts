import { type ParseArgsConfig, parseArgs } from 'node:util'

type Options = NonNullable<ParseArgsConfig['options']>
type Read<Own extends Options> = ReturnType<
  typeof parseArgs<{ options: Own; allowPositionals: true; strict: true }>
>

/**
 * Reads the command line of a script with few options; call it before any work. Ends the process after `--help`, and at
 * what the script does not know: it would do work that was not meant, for minutes.
 */
export const readCommandLine = <Own extends Options>(
  usage: string,
  options: Own,
  mostWords = 0,
): Read<Own> => {
  const read = readOr(usage, options)
  if ((read.values as { help?: boolean }).help === true) {
    console.log(usage)
    process.exit()
  }
  const extra = read.positionals[mostWords]
  if (extra !== undefined) refuse(`Unexpected argument '${extra}'`, usage)
  return read
}

/** A number from 1, as a script takes it. */
export const wholeNumber = (text: string, usage: string): number =>
  /^[1-9]\d*$/.test(text) ? Number(text) : refuse(`'${text}' is not a whole number from 1`, usage)

const readOr = <Own extends Options>(usage: string, options: Own): Read<Own> => {
  try {
    return parseArgs({
      options: { ...options, help: { type: 'boolean' } },
      allowPositionals: true,
      strict: true,
    })
  } catch (error) {
    return refuse(unreadBecause(error), usage)
  }
}

/**
 * Why `parseArgs` refuses a command line, without a full stop, and without the advice about `--` that Node goes on with:
 * npm takes the first.
 */
export const unreadBecause = (error: unknown): string =>
  `${error instanceof Error ? error.message.split('. ')[0] : error}`.replace(/\.$/, '')

/** Ends the process because of what its command line says. `why` comes without a full stop. */
export const refuse = (why: string, usage: string): never => {
  console.error(`${why}.\n${usage}`)
  process.exit(2)
}
