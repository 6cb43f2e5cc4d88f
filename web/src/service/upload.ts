import { type Reply, replyOf } from './client.ts'
import { heard } from './refused-key.ts'

type Upload = {
  path: string
  key: string
  body: string
  signal: AbortSignal
  onSent: (share: number) => void
}

/** A POST that reports how much of it has been sent, which `fetch` does not. */
export const upload = ({ path, key, body, signal, onSent }: Upload): Promise<Reply> =>
  new Promise(resolve => {
    const started = performance.now()
    const request = new XMLHttpRequest()
    request.open('POST', path)
    request.setRequestHeader('content-type', 'application/json')
    request.setRequestHeader('authorization', `Bearer ${key}`)
    request.upload.onprogress = event => onSent(event.lengthComputable ? event.loaded / event.total : 0)
    request.upload.onload = () => onSent(1)
    request.onload = () => {
      const header = (name: string) => request.getResponseHeader(name)
      const reply = replyOf(request.status, header, request.responseText, performance.now() - started)
      resolve(heard(reply, key))
    }
    request.onerror = () => resolve({ kind: 'unreachable' })
    request.onabort = () => resolve({ kind: 'aborted' })
    signal.addEventListener('abort', () => request.abort())
    request.send(body)
  })
