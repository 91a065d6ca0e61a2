/** A connection that speaks WebDriver BiDi: https://www.w3.org/TR/webdriver-bidi/ */
export interface BidiConnection {
  send<Result = unknown>(method: string, params?: object): Promise<Result>
  close(): void
}

interface Message {
  readonly id?: number
  readonly type: string
  readonly error?: string
  readonly message?: string
  readonly result?: unknown
}

export async function connectBidi(url: string): Promise<BidiConnection> {
  const socket = new WebSocket(url)
  const pending = new Map<number, PromiseWithResolvers<unknown>>()
  let lastId = 0
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve())
    socket.addEventListener('error', () => reject(new Error(`There is no browser at ${url}.`)))
  })
  socket.addEventListener('message', ({ data }) => {
    const { id, type, error, message, result }: Message = JSON.parse(data)
    const asked = id === undefined ? undefined : pending.get(id)
    if (id === undefined || asked === undefined) return
    pending.delete(id)
    if (type === 'error') asked.reject(new Error(`${error}: ${message}`))
    else asked.resolve(result)
  })
  socket.addEventListener('close', () => {
    for (const { reject } of pending.values()) reject(new Error('The browser has closed the connection.'))
    pending.clear()
  })
  return {
    send(method, params = {}) {
      const asked = Promise.withResolvers<unknown>()
      if (socket.readyState !== WebSocket.OPEN) return Promise.reject(new Error('The browser is gone.'))
      pending.set(++lastId, asked)
      socket.send(JSON.stringify({ id: lastId, method, params }))
      return asked.promise as Promise<never>
    },
    close: () => socket.close(),
  }
}
