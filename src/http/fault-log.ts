import type { Fault } from '../services.ts'

/** The one place that writes to the operator's log; a Fault can hold nothing of a request but its id. */
export const reportFault = (fault: Fault): void => {
  // biome-ignore lint/suspicious/noConsole: this is the log
  console.error(JSON.stringify(fault))
}
