// The contract between the edge and the scorer. Both import it and limits.ts, and neither knows anything else about the
// other. The scorer sees an opaque tenant tag, a state and questions, but never a person, a key or a price.

/** The version of this contract, and the first word of each signature: a scorer refuses requests of any other. */
export const PROTOCOL = 'v3'

/** The most bytes that a scorer reads of one request, and that the edge reads of one answer. */
export const MAX_SCORE_REQUEST_BYTES = 12_000_000
export const MAX_SCORE_ANSWER_BYTES = 32_000_000

/** The most units in one request: a calibration is sent in pieces, and one request is one piece. */
export const MAX_UNITS = 1_024

/** The serving region. */
export const REGION = 'us'

/** A signature is valid for this long on either side of its timestamp. */
export const SIGNATURE_WINDOW_MS = 30_000

export const HEADERS = {
  /**
   * `<PROTOCOL> <key id> <unix ms> <hex SHA-256 of the body> <hex HMAC-SHA256 of signedText>`.
   * Shows before the body is read whether its sender holds a key.
   */
  signature: 'x-scorer-signature',
  /** How many more milliseconds the caller will wait, an integer. Without it, 10 s; a scorer may stop after 120 s. */
  deadline: 'x-scorer-deadline-ms',
  /** Base64url HMAC of tenant and state. A load balancer hashes it to send equal states to the same cache. */
  affinity: 'x-scorer-affinity',
  /** The tenant of the units, known before the body is read. Only shares out body memory and reading turns. */
  tenant: 'x-scorer-tenant',
} as const

/** A signing key and its id. */
export type NamedKey = { id: string; secret: Uint8Array }

/** How one key, and several keys, are written: shown to whoever has to correct a secret. */
export const NAMED_KEY = '<id>:<base64url key of 32 bytes or more>'
export const NAMED_KEYS = `${NAMED_KEY}, or several separated by commas, each id once`

/**
 * The keys in such a secret, or null if it is malformed. Node skips characters that are not base64url and accepts a
 * truncated key, so a key is valid only if encoding it again gives the same text.
 */
export const readNamedKeys = (text: string): NamedKey[] | null => {
  const keys = new Map<string, NamedKey>()
  for (const entry of text.split(',')) {
    const [id = '', encoded = '', ...rest] = entry.trim().split(':')
    const secret = Buffer.from(encoded, 'base64url')
    const written = /^[\w.-]{1,64}$/.test(id) && secret.toString('base64url') === encoded
    if (!written || rest.length > 0 || secret.length < MIN_KEY_BYTES || keys.has(id)) return null
    keys.set(id, { id, secret })
  }
  return [...keys.values()]
}

const MIN_KEY_BYTES = 32

export type Route = '/score' | '/cache/clear'

/** What a signature vouches for. The route is what the scorer calls it: a proxy may serve it under another path. */
type Signed = {
  keyId: string
  timestampMs: number
  route: Route
  /** That of the header; empty if there is none. */
  tenant: string
  /** In lower-case hex, as the HMAC is. */
  bodySha256: string
}

/** The exact text that is signed. No part of it but the last can hold a line break. */
export const signedText = ({ keyId, timestampMs, route, bodySha256, tenant }: Signed): string =>
  ['decider-scorer', PROTOCOL, keyId, timestampMs, route, bodySha256, tenant].join('\n')

/**
 * Structured values travel as compact JSON in the caller's key order, with line breaks and tabs in them as spaces.
 * Strings travel as they are.
 */
export type Text = string

export type UnitQuestion =
  | { type: 'choice'; instructions: Text | null; options: [key: string, description: Text | null][] }
  | { type: 'noul'; instructions: Text | null; sides: [whenTrue: Text | null, whenFalse: Text | null] }
  | { type: 'score'; instructions: Text | null; levels: Text[] }

export type ScoreUnit = {
  /** Opaque: scopes the prefix cache. Never empty. */
  tenant: string
  /** A concrete snapshot id, never an alias. */
  snapshot: string
  state: { form: 'text' | 'json'; text: Text }
  questions: UnitQuestion[]
  /** Score every choice of more than one option again with its options reversed. */
  reverse: boolean
  /** Only checks that the unit is within the limits: nothing is scored. */
  checkOnly?: boolean
}

/** Here and in the answers, either side ignores fields that it does not know. */
export type ScoreRequest = { units: ScoreUnit[] }

/** The most that a logit may be, or be below zero: it stays finite when it is divided by a small temperature. */
export const MAX_LOGIT = 1e9

/**
 * One logit per option, in the question's order: [true, false] for noul. The tokens that are charged for are those
 * of the instructions and options, and the markers around them: 3, and 2 for each option.
 */
export type Pass = { logits: number[]; questionTokens: number; framingTokens: number }

export type ScoredQuestion = Pass & {
  /** The pass that `reverse` asks for, its logits put back in the question's own order; null if it does not. */
  reversed: Pass | null
}

export type UnitAnswer =
  | {
      kind: 'scored'
      stateTokens: number
      /** Markers around the state: 4. Those of a question are counted with the question. */
      stateFramingTokens: number
      /** Whether the state need not be encoded for this unit, and is charged for as such. */
      cached: boolean
      questions: ScoredQuestion[]
    }
  | { kind: 'state_too_long'; limit: number }
  /** `question` is its index in the unit. A state that is too long is told first. */
  | { kind: 'instructions_too_long'; question: number; limit: number }
  | { kind: 'unknown_snapshot' }
  /** The answer to `checkOnly`. */
  | { kind: 'within_limits' }

/** One answer per unit, in their order, and how long they took in all, which only `doctor` shows. */
export type ScoreReply = { units: UnitAnswer[]; runMs: number }

/** Refusals of a whole request, with their HTTP status. */
export const REFUSALS = {
  wrong_version: 401,
  bad_signature: 401,
  clock: 401,
  bad_request: 400,
  too_large: 413,
  full: 503,
  draining: 503,
  deadline: 504,
  fault: 500,
} as const
export type Refusal = { error: keyof typeof REFUSALS; message: string }

export type SnapshotInfo = {
  id: string
  released: string
  status: string
  base: string
  max_state_tokens: number
  modalities: string[]
  retire_after: string | null
}

/** `GET /healthz` of the scorer. */
export type ScorerHealth = {
  ok: boolean
  ready: boolean
  /** That of the package, with `+<commit>` if that was known when the scorer was built. */
  version: string
  protocol: string
  engine: string
  region: string
  snapshots: SnapshotInfo[]
  /** Alias to snapshot id, as this scorer is configured. */
  aliases: Record<string, string>
}
