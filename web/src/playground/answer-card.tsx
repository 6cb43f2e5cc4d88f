import { useState } from 'preact/hooks'
import { likeliest, type Verdict } from '../service/decision.ts'
import { count, percent } from '../ui/format.ts'

/** Bars shown before the rest has to be asked for. */
const BARS = 10

/** One full answer: what it says, how sure it is, and every option as a bar. */
export const AnswerCard = ({ verdict }: { verdict: Verdict }) => (
  <article class="answer" aria-label={`Answer to ${verdict.id}`}>
    <header>
      <h3 class="mono">{verdict.id}</h3>
      <Sureness verdict={verdict} />
    </header>
    <p class={verdict.unsure ? 'headline unsure' : 'headline'}>
      <strong>{verdict.headline}</strong>
      <span class="sure">
        confidence <b>{verdict.confidence.toFixed(2)}</b>
      </span>
    </p>
    <Bars verdict={verdict} />
  </article>
)

/** Whether to rely on the answer, if there is something to say. */
export const Sureness = ({ verdict }: { verdict: Verdict }) => {
  if (verdict.abstain === true)
    return <span class="tag warn">abstains: below the cutoff, or the profile has none</span>
  if (verdict.abstain === false) return <span class="tag good">sure enough</span>
  if (!verdict.uncovered && !verdict.unsure) return null
  return (
    <span class="tag">
      {verdict.uncovered && 'not covered by the profile'}
      {verdict.uncovered && verdict.unsure && ', '}
      {verdict.unsure && 'unsure'}
    </span>
  )
}

/** The expected level, and where it lies between the lowest and the highest. */
const Expected = ({ score }: { score: { value: number; highest: number } }) => (
  <div class="expected">
    <span class="sure">
      expected level <b>{score.value.toFixed(2)}</b> of {score.highest}
    </span>
    <div class="scale" aria-hidden="true">
      {Array.from({ length: score.highest + 1 }, (_, level) => (
        <i style={{ left: `${(level / score.highest) * 100}%` }} />
      ))}
      <b style={{ left: `${(score.value / score.highest) * 100}%` }} />
    </div>
  </div>
)

export const Bars = ({ verdict }: { verdict: Verdict }) => {
  const [all, setAll] = useState(false)
  const many = verdict.shares.length > BARS
  const shown = many ? likeliest(verdict.shares).slice(0, all ? undefined : BARS) : verdict.shares
  return (
    <>
      {verdict.score !== null && <Expected score={verdict.score} />}
      <table class="bars">
        <caption class="unseen">Probabilities of {verdict.id}</caption>
        <thead class="unseen">
          <tr>
            <th scope="col">Option</th>
            <th scope="col">Probability</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(share => (
            <tr key={share.name} class={share === verdict.top ? 'likeliest' : ''}>
              <th scope="row">
                <i class="fill" style={{ width: `${share.probability * 100}%` }} aria-hidden="true" />
                <span class="name">{share.name}</span>
              </th>
              <td>{percent(share.probability)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {many && (
        <button type="button" class="link" onClick={() => setAll(!all)}>
          {all ? 'Show the likeliest' : `Show all ${count(verdict.shares.length)}`}
          <span class="unseen"> options of {verdict.id}</span>
        </button>
      )}
    </>
  )
}
