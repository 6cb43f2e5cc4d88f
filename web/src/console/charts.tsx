import { useMemo } from 'preact/hooks'
import type { AccountUsage } from '../../../src/activity/wire.ts'
import { count, dollars, milliseconds } from '../ui/format.ts'
import { type Ink, type Line, Plot, type PlotProps } from '../ui/plot.tsx'
import { inDollars } from './in-dollars.ts'

type Day = AccountUsage['data'][number]

/** Of the most frequent errors. */
const INKS: readonly Ink[] = ['--bad', '--warn', '--series-3', '--series-2']

/** Thirty days of use. */
export const Charts = ({ days }: { days: readonly Day[] }) => {
  const plots = useMemo(() => plotsOf(days), [days])
  return (
    <section aria-label="Last 30 days" class="charts">
      {plots.map(plot => (
        <div class="card">
          <Plot {...plot} />
        </div>
      ))}
    </section>
  )
}

const plotsOf = (days: readonly Day[]): PlotProps[] => {
  const range: [number, number] = [-0.7, days.length - 0.3]
  const x = { values: days.map((_, at) => at), name: 'Day', range }
  const formatX = (at: number): string => (Number.isInteger(at) ? (days[at]?.day.slice(5) ?? '') : '')
  const base = { x, formatX }
  return [
    {
      ...base,
      title: 'Spend per day',
      note: dollars(inDollars(sum(days, day => day.cost_nanodollars))),
      format: dollars,
      lines: [
        {
          name: 'Spend',
          ink: '--accent',
          shape: 'bars',
          values: days.map(day => inDollars(day.cost_nanodollars)),
        },
      ],
    },
    {
      ...base,
      title: 'Input tokens per day',
      note: `${count(sum(days, day => day.cached_tokens))} of ${count(sum(days, day => day.input_tokens))} from the prefix cache`,
      format: count,
      whole: true,
      lines: [
        { name: 'Tokens', ink: '--accent', shape: 'bars', values: days.map(day => day.input_tokens) },
        {
          name: 'Of which cached',
          ink: '--series-2',
          shape: 'bars',
          values: days.map(day => day.cached_tokens),
        },
      ],
    },
    {
      ...base,
      title: 'Requests per day',
      format: count,
      whole: true,
      lines: [{ name: 'Requests', ink: '--accent', shape: 'bars', values: days.map(day => day.requests) }],
    },
    {
      ...base,
      title: 'Latency of decisions',
      note: 'p95: 95 of 100 took no longer',
      format: milliseconds,
      lines: [
        latency(days, 'p50', '--accent'),
        latency(days, 'p95', '--series-2'),
        latency(days, 'p99', '--warn'),
      ],
    },
    {
      ...base,
      title: 'Errors per day',
      note: errorNote(days),
      format: count,
      whole: true,
      lines: errorLines(days),
    },
  ]
}

const sum = (days: readonly Day[], of: (day: Day) => number): number =>
  days.reduce((total, day) => total + of(day), 0)

const latency = (days: readonly Day[], name: 'p50' | 'p95' | 'p99', ink: Ink): Line => ({
  name,
  ink,
  shape: 'line',
  values: days.map(day => day.latency_ms?.[name] ?? null),
})

const errorNote = (days: readonly Day[]): string => {
  const total = sum(days, day => errorsOf(day))
  return total === 0 ? 'none in 30 days' : `${count(total)} in 30 days`
}

/** The most frequent codes by name, the rest together. */
const errorLines = (days: readonly Day[]): Line[] => {
  const total = (code: string) => sum(days, day => day.errors[code] ?? 0)
  const ranked = [...new Set(days.flatMap(day => Object.keys(day.errors)))].sort(
    (a, b) => total(b) - total(a),
  )
  const line = (name: string, ink: Ink, isMeant: (code: string) => boolean): Line => ({
    name,
    ink,
    shape: 'stack',
    values: days.map(day => errorsOf(day, isMeant)),
  })
  const lines = INKS.flatMap((ink, at) => {
    const named = ranked[at]
    return named === undefined ? [] : [line(named, ink, code => code === named)]
  })
  const rest = ranked.slice(INKS.length)
  if (rest.length > 0) lines.push(line('others', '--muted', code => rest.includes(code)))
  return lines.length > 0 ? lines : [line('Errors', '--muted', () => true)]
}

const errorsOf = (day: Day, isMeant = (_code: string) => true): number =>
  Object.entries(day.errors).reduce((all, [code, times]) => (isMeant(code) ? all + times : all), 0)
