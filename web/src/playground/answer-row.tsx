import { useState } from 'preact/hooks'
import type { Verdict } from '../service/decision.ts'
import { percent } from '../ui/format.ts'
import { Bars, Sureness } from './answer-card.tsx'

/** One answer of many, on one line; its bars on request. */
export const AnswerRow = ({ verdict, asked }: { verdict: Verdict; asked: string }) => {
  const [open, setOpen] = useState(false)
  const likelihood = verdict.top?.probability ?? 0
  return (
    <li class="answer-row">
      <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span class="asked">
          {asked === '' ? <span class="mono">{verdict.id}</span> : asked}
          {asked !== '' && <span class="unseen"> {verdict.id}</span>}
          {(verdict.unsure || verdict.uncovered) && (
            <>
              {' '}
              <Sureness verdict={verdict} />
            </>
          )}
        </span>
        <span class="bar" aria-hidden="true">
          <i
            class={verdict.type === 'noul' && verdict.headline === 'No' ? 'fill no' : 'fill'}
            style={{ width: `${likelihood * 100}%` }}
          />
          <strong class="name">{verdict.headline}</strong>
        </span>
        <span class="unseen">{verdict.headline}</span>
        <span class="probability">{percent(likelihood)}</span>
      </button>
      {open && (
        <div class="row-detail">
          <p class="sure">
            <Sureness verdict={verdict} /> confidence <b>{verdict.confidence.toFixed(2)}</b>
          </p>
          <Bars verdict={verdict} />
        </div>
      )}
    </li>
  )
}
