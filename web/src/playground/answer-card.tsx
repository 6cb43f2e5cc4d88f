import { useState } from 'preact/hooks'
import { compact } from '../../../src/json/writer.ts'
import { likeliest, type Share, type Verdict } from '../service/decision.ts'
import { count, percent } from '../ui/format.ts'

/** Bars shown before the rest has to be asked for. */
const BARS = 10

/** One full answer: what it says, how sure it is, and every option as a bar. */
export const AnswerCard = ({ verdict }: { verdict: Verdict }) => (
  <article class="answer" aria-label={`Answer to ${verdict.id}`}>
    <header>
      <h3 class="mono">{verdict.id}</h3>
      <Abstention verdict={verdict} />
    </header>
    <p class={verdict.abstain === true ? 'headline abstains' : 'headline'}>
      <Headline verdict={verdict} />
      <span class="sure">
        confidence <b>{verdict.confidence.toFixed(2)}</b>
      </span>
    </p>
    {verdict.score !== null && <Scale score={verdict.score} />}
    <Bars verdict={verdict} />
  </article>
)

export const Headline = ({ verdict }: { verdict: Verdict }) => (
  <strong>
    {verdict.headline}
    {verdict.score !== null && <span class="of"> of {verdict.score.highest}</span>}
  </strong>
)

export const Abstention = ({ verdict }: { verdict: Verdict }) => {
  if (verdict.abstain === true) return <span class="tag warn">abstains</span>
  if (verdict.abstain === false) return <span class="tag good">sure enough</span>
  return <span class="tag">{verdict.calibrated ? 'calibrated' : 'not calibrated'}</span>
}

/** Where the expected level lies between the lowest and the highest. */
const Scale = ({ score }: { score: { value: number; highest: number } }) => (
  <div class="scale" aria-hidden="true">
    {Array.from({ length: score.highest + 1 }, (_, level) => (
      <i style={{ left: `${(level / score.highest) * 100}%` }} />
    ))}
    <b style={{ left: `${(score.value / score.highest) * 100}%` }} />
  </div>
)

export const Bars = ({ verdict }: { verdict: Verdict }) => {
  const [all, setAll] = useState(false)
  const many = verdict.shares.length > BARS
  const shown = many ? likeliest(verdict.shares).slice(0, all ? undefined : BARS) : verdict.shares
  return (
    <>
      <table class="bars">
        <caption class="unseen">Probabilities of {verdict.id}</caption>
        <thead class="unseen">
          <tr>
            <th scope="col">Option</th>
            <th scope="col">Probability</th>
            <th scope="col">Logit</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(share => (
            <tr key={share.key} class={share === verdict.top ? 'likeliest' : ''}>
              <th scope="row">
                <i class="fill" style={{ width: `${share.probability * 100}%` }} aria-hidden="true" />
                <span class="name">{nameOf(verdict, share)}</span>
              </th>
              <td class="probability">{percent(share.probability)}</td>
              <td class="logit" title="logit">
                {share.logit.toFixed(2)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {many && (
        <button type="button" class="link" onClick={() => setAll(!all)}>
          {all ? 'Show the likeliest' : `Show all ${count(verdict.shares.length)}`}
        </button>
      )}
    </>
  )
}

const nameOf = (verdict: Verdict, share: Share): string => {
  if (verdict.type === 'noul') return share.key === 'true' ? 'Yes' : 'No'
  if (verdict.type === 'choice') return share.key
  const { description } = share
  return `${share.key} · ${typeof description === 'string' ? description : compact(description)}`
}
