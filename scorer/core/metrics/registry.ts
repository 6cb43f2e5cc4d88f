// Counters, gauges and histograms in Prometheus' text format. Label values are fixed words of this program, never
// request content.

type Labels = Readonly<Record<string, string>>

type Counter<Value> = { add(value: Value): void }
type Histogram = { observe(value: number, labels?: Labels): void }

export class Registry {
  readonly #families: (() => string[])[] = []

  text(): string {
    return `${this.#families.flatMap(family => family()).join('\n')}\n`
  }

  /** One count per value of the label. All begin at 0: from an absent one, Prometheus would not see the first step. */
  counter<Value extends string>(
    name: string,
    help: string,
    label: string,
    values: readonly Value[],
  ): Counter<Value> {
    const counts = new Map(values.map(value => [value, 0]))
    this.#family(name, help, 'counter', () =>
      [...counts].map(([value, count]) => `${name}${labelText({ [label]: value })} ${count}`),
    )
    return {
      add(value) {
        counts.set(value, (counts.get(value) ?? 0) + 1)
      },
    }
  }

  /** `read` is called at each scrape. */
  gauge(name: string, help: string, read: () => number, labels: Labels = {}): void {
    this.#family(name, help, 'gauge', () => [`${name}${labelText(labels)} ${read()}`])
  }

  /** The series of `labelSets` begin at 0, as counts do. */
  histogram(
    name: string,
    help: string,
    bounds: readonly number[],
    labelSets: readonly Labels[] = [{}],
  ): Histogram {
    type Series = { labels: Labels; counts: number[]; sum: number; count: number }
    const series = new Map<string, Series>()
    const seriesOf = (labels: Labels): Series => {
      const key = labelText(labels)
      const one = series.get(key) ?? { labels, counts: bounds.map(() => 0), sum: 0, count: 0 }
      series.set(key, one)
      return one
    }
    for (const labels of labelSets) seriesOf(labels)
    this.#family(name, help, 'histogram', () =>
      [...series.values()].flatMap(({ labels, counts, sum, count }) => [
        ...bounds.map(
          (bound, i) => `${name}_bucket${labelText({ ...labels, le: String(bound) })} ${counts[i] ?? 0}`,
        ),
        `${name}_bucket${labelText({ ...labels, le: '+Inf' })} ${count}`,
        `${name}_sum${labelText(labels)} ${sum}`,
        `${name}_count${labelText(labels)} ${count}`,
      ]),
    )
    return {
      observe(value, labels = {}) {
        const one = seriesOf(labels)
        one.sum += value
        one.count += 1
        for (const [i, bound] of bounds.entries())
          if (value <= bound) one.counts[i] = (one.counts[i] ?? 0) + 1
      },
    }
  }

  #family(name: string, help: string, type: string, lines: () => string[]): void {
    this.#families.push(() => [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines()])
  }
}

const labelText = (labels: Labels): string => {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}
