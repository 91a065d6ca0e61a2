import type { Bytes } from '../../src/http/bytes.ts'
import { toHandlerOutcome } from '../../src/http/outcome.ts'
import { createMock, type Mock, type MockOptions } from '../../src/index.ts'
import { type RunningServer, serve } from '../../src/runtimes/server.ts'
import { toService, withService } from '../../src/service/mock.ts'

/** A mock that breaks a rule, and the expected report. */
export interface BrokenMock {
  readonly title: string
  readonly options?: MockOptions
  /** Replaces the correct response. */
  readonly alter?: Alter
  /** A case that fails. */
  readonly failed: string
  /** Its message. */
  readonly violation: string | RegExp
}

type Alter = (answer: Response, exchange: AlteredExchange) => Response | Promise<Response>

interface AlteredExchange {
  readonly mock: Mock
  readonly request: Request
  /** In the path of an update. */
  readonly petId: string
  /** The body, as text. */
  readonly body: string
  /** How often such a request was answered before. */
  readonly count: number
}

const isList = ({ method }: Request): boolean => method === 'GET'
const isUpdate = ({ method }: Request): boolean => method === 'PATCH'

/** A mock for each sentence about a service that is wrong. */
export const BROKEN_MOCKS: readonly BrokenMock[] = [
  {
    title: 'more than one entry for a pet',
    alter: when(isList, 200, (text) => text.replace('"petId":2', '"petId":1')),
    failed: 'a valid key is 200',
    violation: 'The list has more than one entry for pet 1',
  },
  {
    title: 'Errors with an empty code',
    alter: whenError((text) => text.replace(/"code":"\w+"/, '"code":""')),
    failed: 'no key is 401',
    violation: 'The code of the Error object is empty',
  },
  {
    title: 'a 401 without WWW-Authenticate',
    alter: whenError((text) => text),
    failed: '401 names Bearer in WWW-Authenticate',
    violation: 'WWW-Authenticate is missing',
  },
  {
    title: 'an update that is answered and not made',
    alter: when(isUpdate, 200, (text) => text.replace(/"quantity":-?\d+/, '"quantity":12')),
    failed: 'a new quantity is echoed and listed',
    violation: /^The response says quantity 12 and should say \d+$/,
  },
  {
    title: 'a list that does not show the update',
    alter: createStaleList(),
    failed: 'a new quantity is echoed and listed',
    violation: /^The next list shows quantity 12 for pet 1 and should show \d+$/,
  },
  {
    title: 'an update that changes the status',
    alter: when(isUpdate, 200, (text) => text.replace('available', 'sold')),
    failed: 'a new quantity is echoed and listed',
    violation: 'The response says sold and the pet was available: an update sets the quantity alone',
  },
  {
    title: 'an update that answers another pet',
    alter: when(isUpdate, 200, (text) => text.replace('"petId":1', '"petId":2')),
    failed: 'a new quantity is echoed and listed',
    violation: 'The response is pet 2 and should be pet 1',
  },
  {
    title: 'an update that changes other pets',
    alter(answer, { mock, request }) {
      const quantity = Number(mock.inventory.get(5)?.quantity) + 1
      if (isUpdate(request)) mock.inventory.set(5, { quantity })
      return answer
    },
    failed: 'a new quantity is echoed and listed',
    violation: /^The next list shows quantity \d+ for pet 5 and should show \d+$/,
  },
  {
    title: 'an update that breaks the connection',
    alter: (answer, { request }) => (isUpdate(request) ? Response.error() : answer),
    failed: 'no quantity is 400',
    violation: /^The service sent no complete response: /,
  },
  {
    title: 'an update without a key that is applied all the same',
    alter(answer, { mock, request, petId, body }) {
      if (answer.status === 401 && isUpdate(request))
        mock.inventory.set(petId, JSON.parse(body) as { quantity: number })
      return answer
    },
    failed: 'no key is 401',
    violation: /^After the 401: The next list shows quantity \d+ for pet 1 and should show \d+$/,
  },
  {
    title: 'updates of the first pet alone',
    alter: (answer, { request, petId }) =>
      isUpdate(request) && petId !== '1' ? json('{"code":"c","message":"m","status":404}', 404) : answer,
    failed: 'a pet at the other end of the list is updated',
    violation: 'The status is 404 and should be 200',
  },
  {
    title: 'an unknown pet that is found by the double nearest to its id',
    options: { fixture: { inventory: [{ petId: '9007199254740993', quantity: 1, status: 'sold' }] } },
    alter: (answer, { petId }) =>
      answer.status === 404 && petId.startsWith('90071992547')
        ? json('{"petId":9007199254740993,"quantity":1,"status":"sold"}')
        : answer,
    failed: "an unknown pet whose id rounds to another pet's is 404",
    violation: 'The status is 200 and should be 404',
  },
  {
    title: 'an unknown pet that is created beside its 404',
    alter(answer, { mock, petId }) {
      if (answer.status === 404) mock.inventory.add({ petId, quantity: 1, status: 'sold' })
      return answer
    },
    failed: 'an unknown pet is 404',
    violation: /^After the 404: Pet \d+ is in the next list and was not there before$/,
  },
  {
    title: 'quantities cut to 32 bits in the response',
    alter: when(isUpdate, 200, (text) => text.replace(/"quantity":(-?\d+)/, (_, digits) => `"quantity":${~~digits}`)),
    failed: 'quantity 2^53−1 is 200',
    violation: 'The response says quantity -1 and should say 9007199254740991',
  },
  {
    title: 'a pet that is sold when its quantity is 0',
    alter(answer, { mock, petId, body }) {
      if (answer.status === 200 && body === '{"quantity":0}') mock.inventory.set(petId, { status: 'sold' })
      return answer
    },
    failed: 'quantity 0 is 200',
    violation: 'The next list shows pet 1 as sold, and it was available: an update sets the quantity alone',
  },
]

/** Serves a mock that gives altered answers. */
export function serveAltered({ options, alter = (answer) => answer }: Partial<BrokenMock>): Promise<RunningServer> {
  const mock = createMock(options)
  const counts = new Map<string, number>()
  const altered = withService(mock, {
    ...toService(mock),
    async answer(call) {
      const readBody = async () => (await call.readBody(65_536)) as Bytes
      const request = (await call.toRequest(readBody)) as Request
      const kind = `${request.method} ${call.url.pathname}`
      const count = counts.get(kind) ?? 0
      counts.set(kind, count + 1)
      const body = await request.clone().text()
      const answer = await mock.fetch(request)
      const petId = call.url.pathname.split('/').at(-1) ?? ''
      const isListed = call.url.pathname.startsWith('/v1/inventory')
      return toHandlerOutcome(isListed ? await alter(answer, { mock, request, petId, body, count }) : answer)
    },
  })
  return serve(altered)
}

/** Rewrites the answers of one status to some requests. */
function when(isMeant: (request: Request) => boolean, status: number, change: (text: string) => string): Alter {
  return (answer, { request }) => (isMeant(request) && answer.status === status ? rewrite(answer, change) : answer)
}

function whenError(change: (text: string) => string): Alter {
  return (answer) => (answer.ok ? answer : rewrite(answer, change))
}

async function rewrite(answer: Response, change: (text: string) => string): Promise<Response> {
  return json(change(await answer.text()), answer.status)
}

function json(text: string, status = 200): Response {
  return new Response(text, { status, headers: { 'content-type': 'application/json' } })
}

function createStaleList(): Alter {
  let first: Promise<string> | undefined
  return async (answer, { request }) => {
    if (!isList(request) || !answer.ok) return answer
    first ??= answer.text()
    return json(await first)
  }
}
