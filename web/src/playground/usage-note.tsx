import { CopyButton } from '../ui/copy.tsx'
import { count, dollars, milliseconds } from '../ui/format.ts'
import type { Answered } from './run.ts'

/** What the answer cost, which snapshot gave it, and the request id to quote when asking about it. */
export const UsageNote = ({ answered: { decision, envelope } }: { answered: Answered }) => {
  const { tokens } = decision
  return (
    <footer class="usage">
      <dl>
        <Figure
          name="Server"
          value={milliseconds(decision.latencyMs)}
          note={`${milliseconds(envelope.roundTripMs)} round trip`}
        />
        <Figure
          name="Tokens"
          value={count(tokens.input)}
          note={`${count(tokens.state)} state, ${count(tokens.question)} questions, ${count(tokens.framing)} framing`}
        />
        <Figure
          name="Cached"
          value={count(tokens.cached)}
          note={tokens.cached > 0 ? 'at a fifth of the price' : 'not in the cache'}
        />
        <Figure name="Cost" value={dollars(decision.costUsd)} note="output is free" />
      </dl>
      {decision.warnings.map(warning => (
        <p class="small warn-text">{warning}</p>
      ))}
      <p class="ids mono">
        <span>{decision.model}</span>
        {envelope.requestId !== null && (
          <span>
            {envelope.requestId}{' '}
            <CopyButton
              class="link"
              text={() => envelope.requestId ?? ''}
              label="copy"
              name="Copy the request id"
            />
          </span>
        )}
      </p>
    </footer>
  )
}

const Figure = ({ name, value, note }: { name: string; value: string; note: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>
      <b>{value}</b>
      <span class="note">{note}</span>
    </dd>
  </div>
)
