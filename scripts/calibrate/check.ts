import { snapshotNamedBy } from '../../src/profiles/profile.ts'
import { answersTo } from './answered.ts'
import { bytesOf } from './bytes-of.ts'
import { checkTable } from './check-table.ts'
import { checked } from './checked.ts'
import type { CheckOptions } from './options.ts'
import { surestWrong } from './surest-wrong.ts'

/** Prints how a profile does on fresh labels. True if a question calls for another fit. */
export const checkProfile = async (options: CheckOptions): Promise<boolean> => {
  // An editor may have ended the line.
  const calibration = (await bytesOf(options.profile)).toString().trim()
  const model = options.model ?? snapshotNamedBy(calibration)
  const { lines, examples, decisions, took } = await answersTo({ ...options, model }, calibration)
  const found = checked(examples, decisions, options.targetError)
  console.log(checkTable(decisions[0]?.model ?? '', options.targetError, found))
  for (const said of surestWrong(found, lines)) console.log(`\n${said}`)
  console.log(`\n${took}`)
  return found.some(({ verdict }) => verdict === 'breaks' || verdict === 'not covered')
}
