/** A reason not to start, worded for the person who starts the service. Never holds a secret or any content. */
export class StartError extends Error {
  override name = 'StartError'
}
