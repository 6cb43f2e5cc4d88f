import type { JsonObject } from '../json/json.ts'
import type { Usage } from './decision.ts'

/** The outcome of a paid request: the answer, the snapshot that gave it, and what it used. */
export type Served = { answer: JsonObject; snapshot: string; usage: Usage }
