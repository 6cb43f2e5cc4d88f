import { AnotherKey } from '../shell/key.tsx'
import type { Failed } from './ask.ts'

/** Says why a part of the page could not be read. */
export const FailureNote = ({ failure }: { failure: Failed | null }) =>
  failure === null ? null : (
    <div class="notice bad" role="alert">
      <p>{failure.why}</p>
      <AnotherKey refusedWith={failure.code} />
    </div>
  )
