import * as v from 'valibot'

export type Refused = {
  kind: 'refused'
  status: number
  code: string
  message: string
  param: string | null
}

export type Received = {
  status: number
  text: string
  /** What there is to say of it if it only refers to another address. */
  referred: string | null
}

/** The code of an answer that is not Decider's. */
export const NO_ANSWER = 'no_answer'

/** An answer of the form that was asked for, or why there is none: not everything that answers is Decider. */
export const readAnswer = <Schema extends v.GenericSchema>(
  { status, text, referred }: Received,
  schema: Schema,
): { kind: 'answered'; answer: v.InferInput<Schema> } | Refused => {
  const read = objectIn(text)
  if (status === 200 && v.is(schema, read)) return { kind: 'answered', answer: read }
  return { kind: 'refused', status, ...refusalIn(read.error, referred) }
}

/** The answer, or an empty object if it is not a JSON object. */
const objectIn = (text: string): { error?: unknown } => {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

const refusalIn = (
  error: unknown,
  referred: string | null,
): { code: string; message: string; param: string | null } => {
  const { code, message, param = null } = Object(error)
  return typeof code === 'string' && typeof message === 'string'
    ? { code, message, param }
    : { code: NO_ANSWER, message: referred ?? 'the server that answered is not Decider', param: null }
}
