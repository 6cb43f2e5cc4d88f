import { resolve } from 'node:path'
import { Settings } from '../../src/calibration/settings.ts'
import { conform } from '../../src/decision/misfit.ts'
import { readArgs } from '../command-line.ts'
import { serviceUrl } from '../service-url.ts'

/** The exit code of a check that calls for another fit. */
export const FIT_AGAIN = 2

export const USAGE = `Usage: npm run calibrate -- <examples.jsonl> [options]
       npm run calibrate -- <fresh.jsonl> --check <profile> [options]
       npm run calibrate -- <examples.jsonl> --score [options]

Fits a profile on labelled examples. With --check, asks for decisions with a profile instead and compares them with
fresh labels: does it keep to its target error? With --score, asks without a profile and says how often the answers are
right, which a few dozen labels can tell: to compare wordings, for example.

  --check <file>          the profile to check; nothing is written
  --score                 only compare answers with labels; nothing is fitted or written
  --url <base URL>        address of the service (default: DECIDER_URL, or this machine with the EDGE_PORT of \`npm run dev\`)
  --key <API key>         better set as DECIDER_API_KEY, which process lists do not show
  --target-error <share>  largest share of wrong answers among those given, above 0 and below 0.5 (default: 0.05); a
                          profile does not hold it, so a check must be given the one of the fit
  --offsets               also fit an offset for each option, which corrects how the model leans: it may change answers
  --model <name>          alias or snapshot id (default: decider-1, for a check that of the profile)
  --report <file>         where to write the report (default: report.html)
  --profile <file>        where to write the profile (default: profile.txt)

Each line of the file is one example: {"state": …, "questions": {"<id>": {…, "label": …}}}.

Exit codes:
  0  a profile was fitted, --score has compared all answers, or a check found no question that calls for another fit;
     one that is undecided, or whose every answer abstains, does not
  1  an error
  ${FIT_AGAIN}  a check found a question that calls for another fit: it is more wrong than the target allows, or the profile does
     not cover it`

type Common = { file: string; url: string; key: string; targetError: number; model: string | null }
/** `report` and `profile` are the files to write. */
export type FitOptions = Common & { kind: 'fit'; offsets: boolean; report: string; profile: string }
/** `profile` is the file of the profile to check. */
export type CheckOptions = Common & { kind: 'check'; profile: string }
export type ScoreOptions = Omit<Common, 'targetError'> & { kind: 'score' }

export const readOptions = (
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): FitOptions | CheckOptions | ScoreOptions => {
  const { values, positionals } = readArgs(args, OPTIONS, why => {
    throw new Error(`${why}.\n\n${USAGE}`)
  })
  const [file] = positionals
  if (file === undefined) throw new Error(USAGE)
  if (positionals.length > 1)
    throw new Error(
      `One file is read, and more were named. npm takes the options that come before \`--\`.\n\n${USAGE}`,
    )
  const target = values['target-error']
  const key = values.key ?? env.DECIDER_API_KEY
  if (!key) throw new Error('Set DECIDER_API_KEY to an API key; `npm run dev` prints one.')
  // The placeholder that documents print for a key is not one, and a header cannot hold it.
  if (!/^\w+$/.test(key)) throw new Error('An API key contains only letters, digits and underscores.')
  const { check, report, profile, offsets = false } = values
  if (values.score === true) {
    const beside = Object.keys(values).find(name => !BESIDE_SCORE.has(name))
    if (beside !== undefined) throw new Error(`--score fits and checks nothing: leave out --${beside}.`)
    return { kind: 'score', file, url: serviceUrl(values.url, env), key, model: values.model ?? null }
  }
  if (check !== undefined) {
    if ((report ?? profile) !== undefined)
      throw new Error('--check writes neither a report nor a profile: leave out --report and --profile.')
    if (offsets)
      throw new Error(
        '--check fits nothing: leave out --offsets. The profile holds its offsets, if it has any.',
      )
    if (target === undefined)
      throw new Error('--check needs --target-error: the one of the fit, which a profile does not hold.')
  }
  const common = {
    file,
    url: serviceUrl(values.url, env),
    key,
    targetError: conform(Settings.entries.target_error, target === undefined ? undefined : Number(target), [
      'target_error',
    ]),
    model: values.model ?? null,
  }
  if (check !== undefined) return { ...common, kind: 'check', profile: check }
  const written = { report: report ?? 'report.html', profile: profile ?? 'profile.txt' }
  if (new Set([file, written.report, written.profile].map(path => resolve(path))).size < 3)
    throw new Error('The examples, the report and the profile must be three different files.')
  return { ...common, kind: 'fit', offsets, ...written }
}

const OPTIONS = {
  check: { type: 'string' },
  score: { type: 'boolean' },
  url: { type: 'string' },
  key: { type: 'string' },
  'target-error': { type: 'string' },
  offsets: { type: 'boolean' },
  model: { type: 'string' },
  report: { type: 'string' },
  profile: { type: 'string' },
} as const

const BESIDE_SCORE: ReadonlySet<string> = new Set(['score', 'url', 'key', 'model'])
