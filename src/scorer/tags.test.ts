import { expect, it } from 'vitest'
import type { ScoreUnit } from '../../scorer/protocol.ts'
import { affinityTag, tenantTag } from './tags.ts'

const UNIT: ScoreUnit = {
  tenant: 'tenant',
  snapshot: 'snapshot',
  state: { form: 'text', text: 'state' },
  questions: [{ type: 'noul', instructions: null, sides: [null, null] }],
  reverse: false,
}

it('a tag is the same for what it names, and for nothing else', () => {
  const tag = affinityTag(UNIT, 'secret')
  expect(affinityTag({ ...UNIT, snapshot: 'another', questions: [], reverse: true }, 'secret')).toBe(tag)
  const others = [
    affinityTag(UNIT, 'another secret'),
    affinityTag({ ...UNIT, tenant: 'another' }, 'secret'),
    affinityTag({ ...UNIT, state: { form: 'json', text: 'state' } }, 'secret'),
    affinityTag({ ...UNIT, state: { form: 'text', text: 'another' } }, 'secret'),
    tenantTag('account', 'secret'),
    tenantTag('account', 'another secret'),
    tenantTag('another', 'secret'),
  ]
  expect(new Set([tag, ...others]).size).toBe(1 + others.length)
})
