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
  const read = readArgs(process.argv.slice(2), { ...options, help: { type: 'boolean' } }, why =>
    refuse(why, usage),
  )
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

/** A command line whose every option is known, or what `refuse` makes of why it is none, told without a full stop. */
export const readArgs = <Own extends Options>(
  args: readonly string[],
  options: Own,
  refuse: (why: string) => never,
): Read<Own> => {
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true })
  } catch (error) {
    // Node goes on with advice about `--`, the first of which npm takes.
    return refuse((error as Error).message.replace(/\.( .*)?$/s, ''))
  }
}

/** Ends the process because of what its command line says. `why` comes without a full stop. */
export const refuse = (why: string, usage: string): never => {
  console.error(`${why}.\n${usage}`)
  process.exit(2)
}
