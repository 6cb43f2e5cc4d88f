import { createHash, timingSafeEqual } from 'node:crypto'

/** Compares what was sent with the secret in time that depends on neither. */
export const sameSecret = (sent: string, secret: string): boolean =>
  timingSafeEqual(digest(sent), digest(secret))

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
