import { type Agent, type AgentOptions, globalAgent, setGlobalProxyFromEnv } from 'node:http'

/** `fetch` compares with the address in brackets, `http.request` with the one without. */
const HERE = '127.0.0.1,localhost,::1,[::1]'

/** What runs on this machine is asked directly, whatever proxy the shell names for the world outside. */
export const bypassProxy = (): void => {
  const others = process.env.no_proxy || process.env.NO_PROXY
  process.env.no_proxy = process.env.NO_PROXY = others ? `${others},${HERE}` : HERE
  // `fetch` looks at the variables for each request; `http.request` has done so once, when Node started.
  const { options } = globalAgent as Agent & { options: AgentOptions }
  if (options.proxyEnv !== undefined) setGlobalProxyFromEnv(process.env)
}
