import type * as v from 'valibot'
import { call } from '../service/client.ts'
import { type Fitting, fitting } from '../service/fitting.ts'
import { key } from '../shell/session.ts'

/** One read with the key of this tab. */
export const get = async <Schema extends v.GenericSchema>(
  path: string,
  schema: Schema,
): Promise<Fitting<Schema>> => fitting(await call({ path, key: key.peek()?.value ?? '' }), schema)
