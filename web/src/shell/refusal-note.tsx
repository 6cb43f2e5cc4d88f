import type { ComponentChildren } from 'preact'
import { AnotherKey } from './key.tsx'

type Props = {
  message: string
  /** Null, as `requestId`, for what the page itself refused to send. */
  code: string | null
  param: string | null
  requestId: string | null
  /** What else there is to say of the place. */
  children?: ComponentChildren
}

/** Says why a request got no answer: in words, by code and field, and with the request id to quote when asking about it. */
export const RefusalNote = ({ message, code, param, requestId, children }: Props) => (
  <div class="notice bad" role="alert">
    <p>{message}</p>
    <p class="small">
      {code !== null && <code>{code}</code>}
      {param !== null && (
        <>
          {' at '}
          <code>{param}</code>
        </>
      )}
      {children}
      {requestId !== null && <span class="muted block">{requestId}</span>}
    </p>
    <AnotherKey refusedWith={code} />
  </div>
)
