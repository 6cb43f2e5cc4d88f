import { expect, it } from 'vitest'
import document from '../../../docs/openapi.json' with { type: 'json' }
import { PATHS } from './paths.ts'

it('the activity can be filtered by each route that needs a balance, and by no other', () => {
  const needsBalance = Object.entries(document.paths)
    .filter(([, route]) => Object.values(route).some(({ responses }) => '402' in responses))
    .map(([path]) => path.replace('{model}', ':model'))
  expect(PATHS.toSorted()).toEqual(needsBalance.toSorted())
})
