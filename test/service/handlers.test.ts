import { HttpResponse, http, passthrough } from 'msw'
import { describe, expect, test, vi } from 'vitest'
import { MockError } from '../../src/http/mock-error.ts'
import { createMock } from '../../src/index.ts'
import { serve } from '../../src/runtimes/server.ts'
import { findResponse, LARGEST_HANDLER_BODY, toHandlerOutcome } from '../../src/service/handlers.ts'

const request = (): Request => new Request('http://mock.example/pets/7')

/** @param value What the resolver returns. */
const returning = (value: unknown) => http.get('*/pets/*', () => value as Response)

describe('findResponse', () => {
  test('the first that responds decides, and those behind it are not asked', async () => {
    const handlers = [
      http.get('*/other', () => HttpResponse.json('other')),
      returning(undefined),
      returning(HttpResponse.json('mine')),
      returning(7),
    ]
    expect(await (await findResponse(handlers, request()))?.json()).toBe('mine')
    expect(await findResponse(handlers.slice(0, 2), request())).toBeUndefined()
  })

  test('a relative path belongs to the origin of the request', async () => {
    const response = await findResponse([http.get('/pets/7', () => HttpResponse.json('relative'))], request())
    expect(await response?.json()).toBe('relative')
  })

  test('passthrough() leaves it to the mock; another redirect is a response', async () => {
    expect(await findResponse([returning(passthrough()), returning(7)], request())).toBeUndefined()
    const redirect = new Response(null, { status: 302, headers: { location: '/pets/8' } })
    expect(await findResponse([returning(redirect)], request())).toMatchObject({ status: 302 })
    const marked = new Response(null, { headers: { 'x-msw-intention': 'passthrough' } })
    expect(await findResponse([returning(marked)], request())).toMatchObject({ status: 200 })
  })

  test.each([{ name: 'Rex' }, { status: 200 }, { clone: 1 }])('a resolver that returns %j is named', async (value) => {
    const error: unknown = await findResponse([returning(value)], request()).catch((cause: unknown) => cause)
    expect(error).toBeInstanceOf(MockError)
    expect(error).toMatchObject({
      code: 'INVALID_OPTION',
      message: `Failed to run the handler GET */pets/*: it must return a Response, such as HttpResponse.json({ … }), got ${JSON.stringify(value)} (object).`,
    })
  })

  test('a resolver whose response no server can send is named, too', async () => {
    const odd = { status: 600, clone: () => {} }
    await expect(findResponse([returning(odd)], request())).rejects.toThrow('got one with the status 600.')
  })

  test('a resolver that returns a Response twice is named, too', async () => {
    const shared = returning(HttpResponse.json('mine'))
    await (await findResponse([shared], request()))?.text()
    await expect(findResponse([shared], request())).rejects.toThrow(/handler GET .+ got one returned or read before/)
  })

  test('the error of a resolver stays as it is', async () => {
    const own = new Error('mine')
    const failing = http.get('*/pets/*', () => Promise.reject(own))
    await expect(findResponse([failing], request())).rejects.toBe(own)
  })
})

test('the outcome of a handler is its response, or a connection that is reset', () => {
  const response = new Response('a')
  expect(toHandlerOutcome(response)).toEqual({ type: 'fetch-response', response })
  expect(toHandlerOutcome(Response.error())).toEqual({ type: 'connection-fault', kind: 'reset' })
})

test.each([
  [LARGEST_HANDLER_BODY, 200],
  [LARGEST_HANDLER_BODY + 1, 400],
])('are asked about a body that is said to have %i bytes: %i', async (length, status) => {
  const message = `The body must be at most ${LARGEST_HANDLER_BODY} bytes`
  const mock = createMock({ handlers: [http.post('*/v1/own', () => HttpResponse.json({ message }))] })
  const response = await mock.fetch('/v1/own', { method: 'POST', headers: { 'content-length': String(length) } })
  expect([response.status, await response.json()]).toEqual([
    status,
    expect.objectContaining({ message: expect.stringContaining(message) }),
  ])
})

test('a handler that returns no Response is a 500, and the console names it', async () => {
  const told = vi.spyOn(console, 'error').mockImplementation(() => {})
  const mock = createMock({ handlers: [http.get('*/v1/o*', () => null as never)] })
  expect((await mock.fetch('/v1/obj')).status).toBe(500)
  expect(told.mock.calls).toEqual([[expect.stringMatching(/^Failed to run the handler GET \*\/v1\/o\*: .* got null/)]])
})

test('a handler that ends because its client has left is no bug', async () => {
  const told = vi.spyOn(console, 'error').mockImplementation(() => {})
  const asked = Promise.withResolvers<void>()
  const waiting = http.get('*/v1/own', ({ request: { signal } }) => {
    asked.resolve()
    return new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  })
  const mock = createMock({ handlers: [waiting] })
  await using server = await serve(mock)
  const client = new AbortController()
  const response = fetch(`${server.url}/v1/own`, { signal: client.signal })
  await asked.promise
  client.abort()
  await expect(response).rejects.toThrow()
  await vi.waitFor(() => expect(mock.journal.entries).toHaveLength(1))
  expect(told).not.toHaveBeenCalled()
})
