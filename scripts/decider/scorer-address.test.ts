import { expect, it } from 'vitest'
import { decider, secretOf, serviceAnswering } from './testing.ts'

it.each([
  ['doctor', '127.0.0.1:8788'],
  ['cache clear', 'localhost:8788'],
])('%s --scorer %s is refused: nothing could answer there', async (command, address) => {
  const SCORER_SECRET = secretOf('scorer-1')
  const { code, err } = await decider([...command.split(' '), '--scorer', address], {
    env: { SCORER_SECRET },
  })
  expect(code).toBe(2)
  expect(err).toBe('--scorer must be a full address, such as http://127.0.0.1:8788.\n')
})

it('a slash at the end of the address changes nothing', async () => {
  const { env, asked } = await serviceAnswering(200, { cleared: 2 })
  await decider(['cache', 'clear', '--scorer', `${env.DECIDER_URL}/`], {
    env: { SCORER_SECRET: secretOf('scorer-1') },
  })
  expect(asked[0]?.line).toBe('POST /cache/clear')
})
