const NAMES: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]'])

/** Whether a URL's host is this machine under one of its own names. */
export const isLoopback = (hostname: string): boolean => NAMES.has(hostname)

/** The same of a whole URL; false if it is none. */
export const isOfThisMachine = (url: string): boolean =>
  URL.canParse(url) && isLoopback(new URL(url).hostname)
