import { RefusalNote } from '../shell/refusal-note.tsx'
import { UnansweredNote } from '../shell/unanswered-note.tsx'
import type { Failed } from './ask.ts'

/** Says why a part of the page could not be read. */
export const FailureNote = ({ failure }: { failure: Failed | null }) => {
  if (failure === null) return null
  return failure.refused === null ? <UnansweredNote /> : <RefusalNote {...failure.refused} />
}
