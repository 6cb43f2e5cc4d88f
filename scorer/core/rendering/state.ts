import type { ScoreUnit } from '../../protocol.ts'
import type { Spans, Tokenizer } from '../tokenizer/tokenizer.ts'
import { REST, STATE_CLOSE, STATE_FORM, STATE_OPEN } from './markers.ts'
import { TokenStream } from './token-stream.ts'

export type RenderedState = {
  readonly ids: Int32Array
  readonly textTokens: number
  readonly markers: number
  /** Where each text token comes from, or null if not requested. */
  readonly spans: Spans | null
  /** Rows of the stream before the first text token. */
  readonly markersBefore: number
}

/** The token stream of a state, or null if its text is longer than `limit` tokens: it is never truncated. */
export const renderState = (
  state: ScoreUnit['state'],
  tokenizer: Tokenizer,
  { limit, spans }: { limit: number; spans: boolean },
): RenderedState | null => {
  const tokens = tokenizer.encode(state.text, { limit, spans })
  if (tokens === null) return null
  const stream = new TokenStream().mark(STATE_OPEN).mark(STATE_FORM[state.form])
  const markersBefore = stream.markers
  stream.text(tokens).mark(STATE_CLOSE).mark(REST)
  return {
    ids: stream.build(),
    textTokens: stream.textTokens,
    markers: stream.markers,
    spans: tokens.spans,
    markersBefore,
  }
}
