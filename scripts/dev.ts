// `npm run dev`: the whole service on this machine, until Ctrl-C.
import { readCommandLine } from './command-line.ts'
import { bypassProxy } from './service/proxy.ts'
import { readSettings } from './service/settings.ts'
import { startService } from './service/start.ts'

readCommandLine(
  `Usage: npm run dev
Runs the whole service on this machine until Ctrl-C. EDGE_PORT, SCORER_PORT and DATA_DIR say where.`,
  {},
)
bypassProxy()
const stop = new AbortController()
const stopRequested = new Promise<'stopped'>(resolve => {
  stop.signal.addEventListener('abort', () => resolve('stopped'))
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort())

try {
  console.log('Starting the scorer and the edge …')
  let isRunning = false
  const service = await startService(readSettings(process.env), {
    signal: stop.signal,
    // Before the service runs, the edge reports an unreachable scorer. A failed start quotes its output anyway.
    onEdgeOutput: text => isRunning && console.error(text.trimEnd()),
  })
  console.log(welcome(service.url, service.keys.standard, service.keys.playground))
  isRunning = true
  const end = await Promise.race([stopRequested, service.failed])
  if (end !== 'stopped') console.error(end)
  await service.stop()
  process.exitCode = end === 'stopped' ? 0 : 1
} catch (error) {
  if (!stop.signal.aborted) {
    console.error(error instanceof Error ? error.message : 'The service could not be started.')
    process.exitCode = 1
  }
}

function welcome(url: string, standard: string, playground: string): string {
  return `
  Decider is running at ${url}   (open it in a browser for the playground; API reference: ${url}/docs)

  standard key     ${standard}
  playground key   ${playground}

  Try it:

curl -s ${url}/v1/decisions -H 'Authorization: Bearer ${standard}' -H 'Content-Type: application/json' -d '{"state":"Charged twice for one order, please refund me.","questions":{"team":{"type":"choice","instructions":"Which team should handle this?","criteria":{"billing":"payments and refunds","shipping":"delivery","technical":"errors in the product"}},"angry":{"type":"noul","instructions":"The customer is angry"}}}'

  Ctrl-C stops both processes.
`
}
