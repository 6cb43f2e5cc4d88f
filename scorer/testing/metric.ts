/** A number from the page of metrics, named as there but for `scorer_`: `cache_events_total{event="hit"}`. */
export const metricIn = (page: string, series: string): number =>
  Number(page.split(`\nscorer_${series} `)[1]?.split('\n', 1)[0])
