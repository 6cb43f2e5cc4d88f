import { isFullAddress } from '../service-url.ts'
import { type Call, needed } from './command.ts'
import { UsageError } from './errors.ts'

/** The address given as --scorer, without slashes at its end. Without a scheme, it would look like one that is down. */
export const scorerAddress = (call: Call): string => {
  // Ignoring either might ignore the one that was meant.
  if (call.options.url !== undefined) throw new UsageError('Give --scorer or --url, not both.')
  const given = needed(call, 'scorer')
  if (!isFullAddress(given))
    throw new UsageError('--scorer must be a full address, such as http://127.0.0.1:8788.')
  return given.replace(/\/+$/, '')
}
