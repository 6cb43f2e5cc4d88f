import { isFullAddress } from '../service-url.ts'
import { UsageError } from './errors.ts'

/** The address given as --scorer, without slashes at its end. Without a scheme, it would look like one that is down. */
export const scorerAddress = (given: string): string => {
  if (!isFullAddress(given))
    throw new UsageError('--scorer must be a full address, such as http://127.0.0.1:8788.')
  return given.replace(/\/+$/, '')
}
