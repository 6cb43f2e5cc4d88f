export type AdminApi = {
  url: string
  get<Answer>(path: string): Promise<Answer>
  post<Answer>(path: string, body: object): Promise<Answer>
}

/** The admin API of the service under test; a call is made again until it is answered. */
export const adminApi = (url: string, secret: string): AdminApi => {
  const call = async <Answer>(path: string, init: RequestInit): Promise<Answer> => {
    for (;;) {
      try {
        const answer = await fetch(`${url}/admin/v1${path}`, {
          ...init,
          headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        })
        if (answer.ok) return (await answer.json()) as Answer
      } catch {
        // It is being killed and started again.
      }
      await new Promise(resolve => setTimeout(resolve, 200))
    }
  }
  return {
    url,
    get: path => call(path, {}),
    post: (path, body) => call(path, { method: 'POST', body: JSON.stringify(body) }),
  }
}
