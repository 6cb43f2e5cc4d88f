import { describe, expect, it } from 'vitest'
import { compact } from '../json/writer.ts'
import type { Catalogue } from '../scorer/scorer.ts'
import { SNAPSHOT, snapshotInfo } from '../testing/scorer.ts'
import { openaiModels, systemOneModels } from './catalogue.ts'

const catalogue: Catalogue = {
  snapshots: [{ ...snapshotInfo, retire_after: '2027-11-30' }],
  aliases: { 'decider-1': SNAPSHOT, 'jev-latest': SNAPSHOT, dangling: 'no-such-snapshot' },
}
const plain = (models: Parameters<typeof compact>[0]): unknown => JSON.parse(compact(models))

describe('the list of models', () => {
  it('has a name, description and release date for TypeSafe’s SDKs', () => {
    expect(plain(systemOneModels(catalogue))).toEqual([
      { name: 'decider-1', description: `Alias of ${SNAPSHOT}.`, release_date: '2026-10-13' },
      { name: 'jev-latest', description: `Alias of ${SNAPSHOT}.`, release_date: '2026-10-13' },
      {
        name: SNAPSHOT,
        description: 'Immutable snapshot of a decision model (preview).',
        release_date: '2026-10-13',
      },
    ])
  })

  it('has ids and times of creation for OpenAI’s SDK', () => {
    const models = openaiModels(catalogue)
    expect(models.map(model => model.get('id'))).toEqual(['decider-1', 'jev-latest', SNAPSHOT])
    expect(plain(models[1] ?? null)).toEqual({
      id: 'jev-latest',
      object: 'model',
      created: 1_791_849_600,
      owned_by: 'decider',
      shutdown_date: '2027-11-30',
    })
  })
})
