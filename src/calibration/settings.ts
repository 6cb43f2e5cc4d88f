import * as v from 'valibot'
import { DEFAULT_MODEL } from '../decision/request.ts'
import { DEFAULT_TARGET_ERROR } from './limits.ts'

const TARGET_ERROR = 'must be a number above 0 and below 0.5, such as 0.1 for 10%'

/**
 * The wire format of all but the labelled examples, which are read one by one. Without examples of its own the reference
 * would show a request with `""` and 1, which are refused, and with two extras that the answer beside it lacks.
 */
export const Settings = v.object({
  model: v.optional(v.pipe(v.string('must be a string'), v.examples([DEFAULT_MODEL])), DEFAULT_MODEL),
  target_error: v.optional(
    v.pipe(
      v.number(TARGET_ERROR),
      v.gtValue(0, TARGET_ERROR),
      v.ltValue(0.5, TARGET_ERROR),
      v.examples([0.1]),
    ),
    DEFAULT_TARGET_ERROR,
  ),
  offsets: v.pipe(v.nullish(v.boolean('must be a boolean'), false), v.examples([false])),
  curves: v.pipe(v.nullish(v.boolean('must be a boolean'), false), v.examples([false])),
})
