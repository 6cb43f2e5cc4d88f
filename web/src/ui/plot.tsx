import 'uplot/dist/uPlot.min.css'
import { useEffect, useId, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import { theme } from '../shell/theme.ts'
import { stacked } from './stacked.ts'
import { Table } from './table.tsx'

/** A colour by the name of its CSS variable, so that both themes have their own. */
export type Ink = '--accent' | '--muted' | '--warn' | '--bad' | '--series-2' | '--series-3' | '--line-strong'

export type Line = {
  name: string
  ink: Ink
  values: readonly (number | null)[]
  /** All lines of a plot or none are a stack: bars that stand on each other, the first line lowest. */
  shape: 'line' | 'bars' | 'stack' | 'points'
  dashed?: boolean
}

export type PlotProps = {
  title: string
  note?: string
  x: { values: readonly number[]; name: string; range: [number, number] }
  lines: readonly Line[]
  format: (value: number) => string
  formatX: (value: number) => string
  yRange?: [number, number]
  /** For counts: whole numbers only on the axis. */
  whole?: boolean
  /** Vertical lines at these places on the x axis, each with a name. */
  marks?: readonly { at: number; name: string }[]
  height?: number
}

/** A chart and, folded away below it, its figures as a table for anyone who cannot see the chart. */
export const Plot = (props: PlotProps) => {
  const host = useRef<HTMLDivElement>(null)
  const id = useId()
  const now = theme.value
  useEffect(() => {
    const element = host.current
    if (element === null) return
    const plot = new uPlot(optionsFor(props, element), dataOf(props), element)
    const observer = new ResizeObserver(() =>
      plot.setSize({ width: element.clientWidth, height: heightOf(props) }),
    )
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [props, now])
  return (
    <figure class="plot" aria-labelledby={id}>
      <figcaption id={id}>
        <b>{props.title}</b>
        {props.note !== undefined && <span class="muted small"> {props.note}</span>}
      </figcaption>
      <ul class="legend" aria-hidden="true">
        {props.lines.length > 1 &&
          props.lines.map(line => (
            <li>
              <i class={line.dashed ? 'dashed' : ''} style={{ color: `var(${line.ink})` }} />
              {line.name}
            </li>
          ))}
      </ul>
      <div ref={host} aria-hidden="true" class="canvas" style={{ height: `${heightOf(props)}px` }} />
      <details class="figures">
        <summary>
          Figures<span class="unseen"> of {props.title}</span>
        </summary>
        <FigureTable {...props} />
      </details>
    </figure>
  )
}

const FigureTable = ({ x, lines, format, formatX, title }: PlotProps) => (
  <Table caption={title} columns={[x.name, ...lines.map(line => line.name)]}>
    {x.values.map((value, at) => (
      <tr>
        <th scope="row">{formatX(value)}</th>
        {lines.map(line => {
          const figure = line.values[at] ?? null
          return <td>{figure === null ? '–' : format(figure)}</td>
        })}
      </tr>
    ))}
  </Table>
)

const heightOf = ({ height }: PlotProps): number => height ?? 190

/** The lines in the order in which they are drawn, each as high as it is drawn. */
const drawn = (lines: readonly Line[]): readonly Line[] =>
  lines.every(({ shape }) => shape === 'stack') ? stacked(lines) : lines

const dataOf = ({ x, lines }: PlotProps): uPlot.AlignedData => [
  [...x.values],
  ...drawn(lines).map(line => [...line.values]),
]

const optionsFor = (props: PlotProps, element: HTMLElement): uPlot.Options => {
  const colour = (ink: string) => getComputedStyle(element).getPropertyValue(ink).trim()
  const axis = {
    stroke: colour('--muted'),
    font: `12px ${colour('--sans')}`,
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
  }
  const { x, format, formatX, yRange } = props
  return {
    width: element.clientWidth,
    height: heightOf(props),
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, points: { size: 7 } },
    padding: [10, 20, 0, 0],
    scales: {
      x: { time: false, range: x.range },
      y: { range: (_, __, max) => yRange ?? [0, max > 0 ? max * 1.08 : 1] },
    },
    axes: [
      { ...axis, grid: { show: false }, space: 70, size: 28, values: (_, splits) => splits.map(formatX) },
      {
        ...axis,
        size: (plot, values) => widthOf(plot, values, axis.font),
        space: 36,
        ...(props.whole && { incrs: WHOLE_STEPS }),
        values: (_, splits) => splits.map(format),
      },
    ],
    series: [{}, ...drawn(props.lines).map(line => seriesOf(line, colour))],
    plugins: [readingUnderCursor(props), marksPlugin(props, colour)],
  }
}

const AXIS_MIN = 62
const AXIS_GAP = 10

/** As wide as the widest figure on the axis, so that none is cut off. */
const widthOf = ({ ctx }: uPlot, figures: readonly string[] | null, font: string): number => {
  ctx.save()
  ctx.font = font
  const widths = (figures ?? []).map(figure => ctx.measureText(figure).width + AXIS_GAP)
  ctx.restore()
  return Math.max(AXIS_MIN, ...widths)
}

const POINTS_MAX = 40
/** Up to the largest that a number holds. Without one that fits, an axis would have no figures. */
const WHOLE_STEPS = [1, 2, 5]
  .flatMap(step => Array.from({ length: 16 }, (_, power) => step * 10 ** power))
  .sort((a, b) => a - b)

const barPaths = uPlot.paths.bars?.({ size: [0.62, 40], radius: 0.2 })
const stackPaths = uPlot.paths.bars?.({ size: [0.8, 40] })

const seriesOf = (line: Line, colour: (ink: string) => string): uPlot.Series => {
  const ink = colour(line.ink)
  const series: uPlot.Series = { label: line.name, stroke: ink }
  switch (line.shape) {
    case 'bars':
      return {
        ...series,
        width: 0,
        fill: ink,
        points: { show: false },
        ...(barPaths && { paths: barPaths }),
      }
    case 'stack':
      return {
        ...series,
        // An edge in the colour of the ground keeps them apart for eyes that see no difference of hue.
        width: 1,
        stroke: colour('--surface'),
        fill: ink,
        points: { show: false },
        ...(stackPaths && { paths: stackPaths }),
      }
    case 'points':
      return { ...series, width: 0, points: { show: true, size: 8, fill: ink }, paths: () => null }
    case 'line':
      return {
        ...series,
        width: 2,
        spanGaps: line.dashed === true,
        ...(line.dashed && { dash: [5, 5] }),
        // A single day between empty ones would be a line of no length. With many points, the line is enough.
        points: { show: !line.dashed && line.values.length <= POINTS_MAX, size: 5, fill: ink },
      }
  }
}

/** The figures under the pointer, in words. */
const readingUnderCursor = ({ x, lines, format, formatX }: PlotProps): uPlot.Plugin => {
  const box = document.createElement('div')
  box.className = 'reading'
  return {
    hooks: {
      ready: plot => plot.over.appendChild(box),
      setCursor: plot => {
        const at = plot.cursor.idx ?? -1
        const place = x.values[at]
        box.hidden = place === undefined
        if (place === undefined) return
        const figures = lines.flatMap(line => {
          const value = line.values[at] ?? null
          return value === null ? [] : [`${line.name} ${format(value)}`]
        })
        box.textContent = [formatX(place), ...figures].join('\n')
        const left = plot.cursor.left ?? 0
        const flip = left > plot.over.clientWidth / 2
        box.style.left = flip ? '' : `${left + 12}px`
        box.style.right = flip ? `${plot.over.clientWidth - left + 12}px` : ''
      },
    },
  }
}

const marksPlugin = ({ marks = [] }: PlotProps, colour: (ink: string) => string): uPlot.Plugin => ({
  hooks: {
    draw: plot => {
      const { ctx, bbox } = plot
      for (const mark of marks) {
        const left = plot.valToPos(mark.at, 'x', true)
        ctx.save()
        ctx.strokeStyle = colour('--accent')
        ctx.fillStyle = colour('--accent')
        ctx.lineWidth = 1.5 * devicePixelRatio
        ctx.setLineDash([4 * devicePixelRatio, 4 * devicePixelRatio])
        ctx.beginPath()
        ctx.moveTo(left, bbox.top)
        ctx.lineTo(left, bbox.top + bbox.height)
        ctx.stroke()
        ctx.font = `${12 * devicePixelRatio}px ${colour('--sans')}`
        const nearRight = left > bbox.left + bbox.width * 0.7
        ctx.textAlign = nearRight ? 'right' : 'left'
        ctx.fillText(
          mark.name,
          left + (nearRight ? -6 : 6) * devicePixelRatio,
          bbox.top + 12 * devicePixelRatio,
        )
        ctx.restore()
      }
    },
  },
})
