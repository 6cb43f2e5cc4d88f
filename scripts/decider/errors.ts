/** The command line is not valid, or a setting it needs is missing: exit code 2. */
export class UsageError extends Error {}

/** The service refused or did not answer: exit code 1. */
export class ServiceError extends Error {
  readonly answer: unknown
  constructor(message: string, answer: unknown = null) {
    super(message)
    this.answer = answer
  }
}
