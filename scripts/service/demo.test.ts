import { expect, it } from 'vitest'
import { serverOf } from '../../src/testing/server.ts'
import { demoKeysHold } from './demo.ts'

const KEYS = { account: 'an_account', standard: 'standard', playground: 'playground' }

it.each([
  ['hold if the service knows both', '', true],
  ['do not if it refuses the standard one', 'standard', false],
  ['do not if it refuses the playground’s', 'playground', false],
])('the keys of an earlier start %s', async (_, revoked, hold) => {
  const url = await serverOf(({ headers }, response) => {
    response.writeHead(headers.authorization === `Bearer ${revoked}` ? 401 : 200).end()
  })
  expect(await demoKeysHold(url, KEYS)).toBe(hold)
})
