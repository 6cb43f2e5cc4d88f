import type { ComponentChildren } from 'preact'

/** Says that a request reached nothing that answers. The children are what can be done about it there. */
export const UnansweredNote = ({ children }: { children?: ComponentChildren }) => (
  <div class="notice bad" role="alert">
    <p>The service did not answer. Is it running?</p>
    {children}
  </div>
)
