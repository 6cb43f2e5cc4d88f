import { describe, expect, it } from 'vitest'
import { sealProfile } from '../profiles/profile.ts'
import { newProfileKey, type ProfileKeys } from '../profiles/profile-keys.ts'
import { type Rules, rulesOf } from './profile-rules.ts'
import type { Question } from './question.ts'
import { signatureOf } from './question-signature.ts'

const SNAPSHOT = 'decider-preview-2026-10-13'
const urgent: Question = {
  type: 'noul',
  instructions: 'Is it urgent?',
  criteria: { true: null, false: null },
}
const other: Question = { ...urgent, instructions: 'Is it late?' }
const keys: ProfileKeys = [newProfileKey('a'), newProfileKey('b')]
const rule = { temperature: 1.5, cutoff: 0.9 }
const profile = { snapshot: SNAPSHOT, rules: new Map([[signatureOf(urgent), rule]]) }
const token = sealProfile(profile, keys[1] ?? keys[0])
const foreign = sealProfile(profile, newProfileKey('b'))

const opened = (token: string | null): Rules => {
  const rules = rulesOf(token, SNAPSHOT, keys)
  if (rules instanceof Error) throw rules
  return rules
}

describe('rulesOf', () => {
  it('finds the rule of a question by what it asks', () => {
    const rules = opened(token)
    expect(rules(urgent)).toEqual(rule)
    expect(rules(other)).toBeNull()
  })

  it('has no rules without a token', () => {
    expect(opened(null)(urgent)).toBeNull()
  })

  it.each([
    ['is empty', '', 'is not a profile token'],
    ['has a line end after it', `${token}\n`, 'a line end or quotation marks around it'],
    ['has quotation marks around it', `"${token}"`, 'a line end or quotation marks around it'],
    ['has another part', `${token}.CANARY`, 'is not a profile token'],
    ['is of another version', token.replace('calp1', 'calp2'), 'is not a profile token'],
    ['names no key of ours', token.replace('.b.', '.CANARY.'), 'no longer accepts; fit the profile again'],
    ['is cut short', token.slice(0, -1), 'was altered or cut short'],
    ['has a letter more', `${token}A`, 'was altered or cut short'],
    ['is cut short after the name of its key', 'calp1.b.', 'was altered or cut short'],
    ['is altered', `${token.slice(0, -4)}AAAA`, 'was altered or cut short'],
    [
      'comes from a service whose key has the same id',
      foreign,
      'from another service.*fit the profile again',
    ],
  ])('refuses a token with 400, and tells its repair, if it %s', (_, sent, repair) => {
    expect(rulesOf(sent, SNAPSHOT, keys)).toMatchObject({
      code: 'invalid_calibration_profile',
      param: 'calibration',
      message: expect.stringMatching(new RegExp(`^calibration (?!.*CANARY).*${repair}`)),
    })
  })

  it('refuses a token of a retired key with 400, without saying that it never was a token', () => {
    expect(rulesOf(token, SNAPSHOT, [keys[0]])).toMatchObject({
      code: 'invalid_calibration_profile',
      message: 'calibration is signed with a key that this service no longer accepts; fit the profile again',
    })
  })

  it('refuses a token of another snapshot with 409', () => {
    expect(rulesOf(token, 'decider-2027-01-01', keys)).toMatchObject({
      code: 'profile_model_mismatch',
      param: undefined,
    })
  })
})
