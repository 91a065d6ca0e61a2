import { describe, expect, test } from 'vitest'
import { connectMock } from '../../src/client/connect-mock.ts'
import { createMock, type Mock } from '../../src/index.ts'

const remote = (mock: Mock, sandbox = 'default') =>
  connectMock('http://mock.example', { apiKey: mock.apiKey, sandbox, fetch: (url, init) => mock.fetch(url, init) })

const list = async (mock: Mock, key: string) =>
  (await mock.fetch('/v1/inventory', { headers: { authorization: `Bearer ${key}` } })).status

/** The same controls in the process and over HTTP. */
const CONTROLS = {
  'mock.apiKeys': (mock: Mock, sandbox: string) => mock.sandbox(sandbox).apiKeys,
  'POST /_mock/keys': (mock: Mock, sandbox: string) => remote(mock, sandbox).apiKeys,
}

describe.each(Object.entries(CONTROLS))('%s', (_, keysOf) => {
  test('a revoked key is a 401 in its sandbox alone, until the sandbox is reset', async () => {
    const mock = createMock()
    // A client sends the same header each time.
    expect(await list(mock, 'demo-key~a')).toBe(200)
    await keysOf(mock, 'a').revoke('demo-key~a')
    expect([await list(mock, 'demo-key~a'), await list(mock, 'demo-key~b'), await list(mock, 'demo-key')]).toEqual([
      401, 200, 200,
    ])
    expect(mock.sandbox('a').journal.last()).toMatchObject({ sandbox: 'a', answer: { status: 401 } })
    mock.sandbox('a').reset()
    expect(await list(mock, 'demo-key~a')).toBe(200)
  })

  test('an added key opens its sandbox alone, until it is revoked', async () => {
    const mock = createMock()
    await keysOf(mock, 'a').add('new-key')
    expect([await list(mock, 'new-key~a'), await list(mock, 'new-key'), await list(mock, 'new-key~b')]).toEqual([
      200, 401, 401,
    ])
    await keysOf(mock, 'a').revoke('new-key')
    expect(await list(mock, 'new-key~a')).toBe(401)
  })

  test('a sandbox that is removed comes back with the keys of the mock', async () => {
    const mock = createMock()
    await keysOf(mock, 'a').revoke('demo-key')
    await remote(mock, 'a').remove()
    expect(await list(mock, 'demo-key~a')).toBe(200)
  })

  test.each(['own-secret', 'own-secret~a'])(
    'revoking a key that the sandbox does not have is refused, and the key is not repeated: %s',
    async (key) => {
      const mock = createMock()
      mock.sandbox('b').apiKeys.add('own-secret')
      const revoke = async () => keysOf(mock, 'a').revoke(key)
      const error = (await revoke().catch((reason: Error) => reason)) as Error
      expect(error.message).toContain(
        'Failed to revoke an API key: the key (10 characters) was neither given to createMock() nor added to the sandbox a.',
      )
      expect([error.message.includes('secret'), await list(mock, 'own-secret~b')]).toEqual([false, 200])
    },
  )
})

const SECRETS = `
  {"add":SECRETKEY} {"add":"SECRETKEY {"add":"a",SECRETKEY:1} SECRETKEY "SECRETKEY" ["SECRETKEY"] {"SECRETKEY":1}
  {"add":["SECRETKEY"]} {"add":"SECRETKEY","SECRETKEY":1}
`

test.each(SECRETS.trim().split(/\s+/))(
  'POST /_mock/keys with %s is a 400 that does not repeat the key',
  async (body) => {
    const response = await createMock().fetch('/_mock/keys', { method: 'POST', body })
    const { message } = (await response.json()) as { message: string }
    expect([response.status, message]).toEqual([400, expect.not.stringContaining('SECRET')])
    expect(message.length).toBeGreaterThan(20)
  },
)

test.each(['{}', '{"add":5}', '[]', '{"key":"a"}'])('POST /_mock/keys with %s is a 400 that says why', async (body) => {
  const response = await createMock().fetch('/_mock/keys', { method: 'POST', body })
  const message = 'The body must be an object with add, revoke or both, each a string'
  expect([response.status, await response.json()]).toEqual([400, { code: 'invalid_request', message, status: 400 }])
})

test.each(['a~b~c', 'two words', '', 'x'.repeat(257)])(
  'POST /_mock/keys with a valid key to add and %j to revoke is a 400 that changes nothing',
  async (revoke) => {
    const mock = createMock()
    const change = (body: object) => mock.fetch('/_mock/keys', { method: 'POST', body: JSON.stringify(body) })
    expect((await change({ add: 'new-key', revoke })).status).toBe(400)
    expect([await list(mock, 'new-key'), await list(mock, 'demo-key')]).toEqual([401, 200])
    expect((await change({ add: 'new-key', revoke: 'demo-key' })).status).toBe(204)
    expect([await list(mock, 'new-key'), await list(mock, 'demo-key')]).toEqual([200, 401])
  },
)

test('POST /_mock/keys beyond the maximum changes nothing', async () => {
  const mock = createMock()
  for (let index = 0; index < 99; index += 1) mock.apiKeys.add(`key-${index}`)
  const body = '{"add":"new-key","revoke":"demo-key"}'
  expect((await mock.fetch('/_mock/keys', { method: 'POST', body })).status).toBe(400)
  expect([await list(mock, 'new-key'), await list(mock, 'demo-key')]).toEqual([401, 200])
  // The refused keys take no place.
  mock.apiKeys.add('one-more')
  expect(() => mock.apiKeys.add('too-many')).toThrow('already has 100 changed keys')
})

describe('POST /_mock/clock', () => {
  test('stops the time, and advances it for the delays of all sandboxes', async () => {
    const mock = createMock({ delay: 5000 })
    const { clock } = remote(mock, 'a')
    expect([await clock.isVirtual(), await clock.pending()]).toEqual([false, 0])
    await clock.useVirtual()
    const now = await clock.now()
    const response = list(mock, 'demo-key~b')
    await clock.advance(4999)
    expect([await clock.isVirtual(), await clock.now(), await clock.pending()]).toEqual([true, now + 4999, 1])
    await clock.advance(1)
    expect([await clock.now(), await clock.pending()]).toEqual([now + 5000, 0])
    expect(await response).toBe(200)
    await clock.useReal()
    expect(await clock.isVirtual()).toBe(false)
  })

  test('advances the time by 0 milliseconds, which ends the delays that are due', async () => {
    const mock = createMock()
    const response = await mock.fetch('/_mock/clock', { method: 'POST', body: '{"mode":"virtual","advance":0}' })
    expect([response.status, await response.json()]).toEqual([
      200,
      { mode: 'virtual', now: mock.clock.now(), pending: 0 },
    ])
  })

  test.each([-1, 9e15])('is not stopped by a request to advance it by %d, which is refused', async (advance) => {
    const mock = createMock()
    const body = JSON.stringify({ mode: 'virtual', advance })
    expect((await mock.fetch('/_mock/clock', { method: 'POST', body })).status).toBe(400)
    expect(mock.clock.isVirtual).toBe(false)
  })

  test.each([
    ['{"advance":1}', 'Failed to advance the clock: the time is real. First call useVirtual(), or send'],
    ['{"mode":"virtual","advance":-1}', 'advance must be milliseconds, a number from 0 to 1e15, got -1'],
    ['{"mode":"fast"}', 'mode must be one of virtual, real, got "fast" (string)'],
    ['{"advance":"5"}', 'advance must be milliseconds, a number from 0 to 1e15, got "5"'],
    ['[]', 'The body must be an object with mode, advance, got [] (array)'],
    ['{"advanse":1}', 'advanse is not known. Did you mean advance?'],
  ])('%s is a 400', async (body, message) => {
    const response = await createMock().fetch('/_mock/clock', { method: 'POST', body })
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ message: expect.stringContaining(message) }),
    ])
  })
})
