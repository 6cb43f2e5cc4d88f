/** The routes whose requests are in the activity, as they are named there. */
export const PATHS = [
  '/v1/decisions',
  '/v1/altdecisions',
  '/v1/systemone',
  '/openai/v1/decisions',
  '/v1/calibrations',
  '/v1/models',
  '/v1/models/:model',
  '/openai/v1/models',
  '/openai/v1/models/:model',
]
