import { Problem } from '../problem.ts'

/** How every such refusal begins: `decider` tells by it that the admin API is off, or lacks the path. */
export const NOTHING_HERE = 'There is nothing at this path.'

/** The 404 of a path that does not exist, or does not as long as the service is set up as it is. */
export const nothingHere = (advice = ''): Problem =>
  new Problem(
    'not_found',
    [NOTHING_HERE, advice, 'GET /openapi.json lists the public paths.'].filter(part => part !== '').join(' '),
  )
