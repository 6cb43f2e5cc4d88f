// TypeSafe's System One API, for its SDKs and whatever was written for Jev.
import { requestedModel } from '../../decision/request.ts'
import type { Dialect } from '../dialect.ts'
import { written } from './answer.ts'
import { refused } from './refusal.ts'
import { readRequest } from './request.ts'

export const systemone: Dialect = {
  // The Python SDK packs larger bodies wherever its platform can.
  encodings: ['zstd'],
  model: requestedModel,
  read: body => ({ request: readRequest(body), write: written }),
  refuse: refused,
}
