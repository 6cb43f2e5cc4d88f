import type { Failed } from '../service/client.ts'
import { RefusalNote } from '../shell/refusal-note.tsx'
import { UnansweredNote } from '../shell/unanswered-note.tsx'

/** Says why a part of the page could not be read. */
export const FailureNote = ({ failure }: { failure: Failed | null }) => {
  if (failure === null) return null
  return failure.kind === 'refused' ? <RefusalNote {...failure.refusal} /> : <UnansweredNote />
}
