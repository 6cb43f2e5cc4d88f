// TypeSafe's System One API, for its SDKs and whatever was written for Jev.
import { isObject } from '../../json/json.ts'
import type { Dialect } from '../dialect.ts'
import { written } from './answer.ts'
import { refused } from './refusal.ts'
import { readRequest } from './request.ts'

export const systemone: Dialect = {
  // The Python SDK packs larger bodies wherever its platform can.
  encodings: ['zstd'],
  // Its SDKs give up ten seconds after they begin to connect.
  deadlineMs: 9_000,
  state: body => (isObject(body) ? body.get('state') : undefined),
  read: body => ({ request: readRequest(body), write: written }),
  refuse: refused,
}
