// TypeSafe's System One API, for its SDKs and anything written for Jev.

import type { Dialect } from '../../decision/dialect.ts'
import { isObject } from '../../json/json.ts'
import { written } from './answer.ts'
import { refused } from './refusal.ts'
import { readRequest } from './request.ts'

export const systemone: Dialect = {
  // The Python SDK compresses larger bodies where its platform supports it.
  encodings: ['zstd'],
  // Its SDKs give up ten seconds after they begin to connect.
  deadlineMs: 9_000,
  models: '/v1/models',
  state: body => (isObject(body) ? body.get('state') : undefined),
  read: body => ({ request: readRequest(body), write: written }),
  refuse: refused,
}
