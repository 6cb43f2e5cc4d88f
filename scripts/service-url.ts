import { readSettings, SettingError } from './service/settings.ts'

/** What to say if nothing answers at an address. */
export const noAnswer = (url: URL, why: string | undefined): string =>
  `${url.origin} did not answer: ${why || 'no connection'}. Is the service running? DECIDER_URL or EDGE_PORT say where.`

/**
 * What to say of an answer that only refers to another address, as where HTTP was given and HTTPS is meant; null of any
 * other. Scripts follow none: what is sent on would arrive without its key, and what creates something as a mere read.
 */
export const referral = (from: URL, status: number, location: string | null): string | null => {
  if (status < 300 || status > 399 || location === null) return null
  const to = URL.parse(location, from)
  return (
    to && `${from.origin} refers to ${to.origin}${to.pathname}. If the service is there, give that address.`
  )
}

/** The address of the service: the one given, or DECIDER_URL, or where `npm run dev` listens with the same settings. */
export const serviceUrl = (given: string | undefined, env: NodeJS.ProcessEnv) => {
  const url = (given || env.DECIDER_URL || `http://127.0.0.1:${readSettings(env).edgePort}`).replace(
    /\/+$/,
    '',
  )
  if (!isFullAddress(url)) {
    throw new SettingError('DECIDER_URL and --url must be a full address, such as https://api.example.com.')
  }
  return url
}

export const isFullAddress = (url: string): boolean => /^https?:\/\//i.test(url) && URL.canParse(url)
