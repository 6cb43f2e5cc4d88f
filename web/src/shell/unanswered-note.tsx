import type { ComponentChildren } from 'preact'

/** Says that a request reached nothing that answers. The children are what can be done about it there. */
export const UnansweredNote = ({ children }: { children?: ComponentChildren }) => (
  <div class="notice bad" role="alert">
    <p>{navigator.onLine ? 'The service did not answer. Is it running?' : 'This device is offline.'}</p>
    {children}
  </div>
)
