import { parseArgs } from 'node:util'
import { readTargetError } from '../../src/calibration/request.ts'
import { serviceUrl } from '../service-url.ts'

export const USAGE = `Usage: npm run calibrate -- <examples.jsonl> [options]

  --url <base URL>        address of the service (default: DECIDER_URL, or http://127.0.0.1:8787)
  --key <API key>         better set as DECIDER_API_KEY, which process lists do not show
  --target-error <share>  largest share of wrong answers among those given, above 0 and below 0.5 (default: 0.05)
  --model <name>          alias or snapshot id (default: decider-1)
  --report <file>         where to write the report (default: report.html)
  --profile <file>        where to write the profile (default: profile.txt)

Each line of the file is one example: {"state": …, "questions": {"<id>": {…, "label": …}}}.`

export type Options = {
  file: string
  url: string
  key: string
  targetError: number
  model: string | null
  report: string
  profile: string
}

export const readOptions = (
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Options => {
  const { values, positionals } = parsed(args)
  const [file] = positionals
  if (file === undefined || positionals.length > 1) throw new Error(USAGE)
  const target = values['target-error']
  const key = values.key ?? env.DECIDER_API_KEY
  if (!key) throw new Error('Set DECIDER_API_KEY to an API key; `npm run dev` prints one.')
  // The placeholder that documents print for a key is not one, and a header cannot hold it.
  if (!/^\w+$/.test(key)) throw new Error('An API key contains only letters, digits and underscores.')
  return {
    file,
    url: serviceUrl(values.url, env),
    key,
    targetError: readTargetError(target === undefined ? undefined : Number(target)),
    model: values.model ?? null,
    report: values.report ?? 'report.html',
    profile: values.profile ?? 'profile.txt',
  }
}

const parsed = (args: readonly string[]) => {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        url: { type: 'string' },
        key: { type: 'string' },
        'target-error': { type: 'string' },
        model: { type: 'string' },
        report: { type: 'string' },
        profile: { type: 'string' },
      },
    })
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`)
  }
}
