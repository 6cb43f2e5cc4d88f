/** What was typed is no command, or a setting that it needs is missing: exit code 2. */
export class UsageError extends Error {}

/** The service said no, or nothing: exit code 1. */
export class ServiceError extends Error {
  readonly answer: unknown
  constructor(message: string, answer: unknown = null) {
    super(message)
    this.answer = answer
  }
}
