import { heldOutCounts } from '../../src/calibration/held-out.ts'
import { MIN_LABELS } from '../../src/calibration/limits.ts'
import { NO_CUTOFF } from '../../src/calibration/no-cutoff.ts'
import type {
  CalibrationQuestionReport,
  CalibrationResponse,
  Metrics,
  MetricsAfter,
} from '../../src/calibration/wire.ts'
import { writtenTarget } from '../../src/calibration/written-target.ts'
import { reliabilityChart, selectiveChart } from './charts.ts'
import { style } from './style.ts'
import { percent } from './table.ts'

/** The report as one self-contained file: no scripts, no requests, light and dark themes. */
export const page = (calibration: CalibrationResponse, madeAt: Date): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Calibration report</title>
<style>${style}</style>
</head>
<body>
<main>
<header>
<h1>Calibration report</h1>
<p>${escaped(calibration.model)} · ${calibration.n_examples.toLocaleString('en')} examples · target error ${writtenTarget(calibration.target_error)} · ${madeAt.toISOString().slice(0, 10)}</p>
</header>
${warned(calibration.warnings ?? [])}
${calibration.questions.map(report => section(report, calibration.target_error)).join('\n')}
<section>
<h2>Profile</h2>
<p>Send this as <code>calibration</code> with decisions that ask the same questions. It holds temperatures, cutoffs and, if you asked for them, offsets, but no examples and no labels.</p>
<pre class="token">${escaped(calibration.profile)}</pre>
<p class="note">${escaped(calibration.note)}</p>
<p class="note">${calibration.usage.input_tokens.toLocaleString('en')} tokens scored, $${calibration.usage.cost_usd.toFixed(6)}.</p>
</section>
</main>
</body>
</html>
`

const warned = (warnings: readonly string[]): string =>
  warnings.length === 0
    ? ''
    : `<section>
<h2>Warnings</h2>
<ul>
${warnings.map(warning => `<li>${escaped(warning)}</li>`).join('\n')}
</ul>
</section>`

const section = (report: CalibrationQuestionReport, targetError: number): string => {
  const { after, curves } = report
  return `<section>
<h2>${report.question_ids.map(escaped).join(', ')} <small>${escaped(report.type)}, ${report.before.n.toLocaleString('en')} labels</small></h2>
${verdict(after, targetError)}
${figures(report)}
${
  after && curves
    ? `<div class="charts">
<figure>${reliabilityChart(curves.reliability.before, 'Reliability before calibration')}<figcaption>Before calibration</figcaption></figure>
<figure>${reliabilityChart(curves.reliability.after, 'Reliability after calibration')}<figcaption>After calibration</figcaption></figure>
<figure>${selectiveChart(curves.selective, targetError, after, 'Errors against coverage')}<figcaption>Errors against coverage${after.cutoff === null ? '' : ', with the cutoff'}</figcaption></figure>
</div>`
    : ''
}
<p class="note">Signature <code>${escaped(report.signature)}</code></p>
</section>`
}

const verdict = (after: MetricsAfter | null, targetError: number): string => {
  if (after === null) {
    // The number of labels is not shown: an example that asks the question under two ids has two labels and counts once.
    return `<p class="verdict">Fewer than ${MIN_LABELS} examples label this question, which is too few to fit it. The profile does not change its answers.</p>`
  }
  if (after.cutoff === null) {
    return `<p class="verdict">${NO_CUTOFF}</p>`
  }
  return `<p class="verdict">The profile lets answers through whose confidence is ${after.cutoff.toFixed(3)} or more. For cases like these examples, at most ${writtenTarget(targetError)} of them are wrong: at least nine in ten calibrations keep to that. It answers <strong>${percent(after.coverage)}</strong> of these examples; the rest abstain. In the out-of-fold check of the procedure, five times with a fifth of the examples left out of the fit, ${checkedAs(heldOutCounts(after))}.</p>`
}

const checkedAs = ({ answered, wrong }: { answered: number; wrong: number }): string =>
  answered === 0
    ? 'nothing was answered'
    : `${wrong} of ${answered} answers were wrong (${percent(wrong / answered)})`

const ROWS: [name: string, key: keyof Metrics][] = [
  ['Accuracy', 'accuracy'],
  ['Log loss', 'nll'],
  ['Brier score', 'brier'],
  ['Mean confidence', 'mean_confidence'],
  ['Calibration error', 'ece'],
]

const figures = ({ before, after, curves }: CalibrationQuestionReport): string => {
  const rows = ROWS.map(([name, key]) => row(name, before[key], after?.[key] ?? null))
  return `<table>
<thead><tr><th></th><th>before</th>${after ? '<th>after</th>' : ''}</tr></thead>
<tbody>
${rows.join('\n')}
${after ? row('Temperature', 1, after.temperature) : ''}
${Object.entries(after?.offsets ?? {})
  .map(([option, offset]) => row(`Offset of ${escaped(option)}`, 0, offset))
  .join('\n')}
${curves ? row('Accuracy of always giving the commonest label', curves.commonest_label, null) : ''}
</tbody>
</table>`
}

const row = (name: string, before: number | null, after: number | null): string =>
  `<tr><th>${name}</th>${[before, after]
    .filter(figure => figure !== null)
    .map(figure => `<td>${figure.toFixed(3)}</td>`)
    .join('')}</tr>`

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, character => ESCAPES[character] ?? character)
