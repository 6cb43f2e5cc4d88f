import { join } from 'node:path'

/** Tests run on the shipped snapshot, or on those in SCORER_MODELS. */
export const MODELS_FOLDER = process.env.SCORER_MODELS ?? join(import.meta.dirname, '..', 'models')
export const SNAPSHOT = 'decider-preview-2026-10-13'
export const SNAPSHOT_FOLDER = join(MODELS_FOLDER, SNAPSHOT)
