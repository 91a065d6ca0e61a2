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
  /** The cases that fail, among others. */
  readonly failed: readonly string[]
  /** The message of the first of them. */
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

/** One mock for each way in which a service can be wrong. */
export const BROKEN_MOCKS: readonly BrokenMock[] = [
  {
    title: 'quantity as a string in the list',
    alter: when(isList, 200, (text) => text.replaceAll(/"quantity":(\d+)/g, '"quantity":"$1"')),
    failed: ['a valid key is 200'],
    violation: 'Response body property 0.quantity must be integer',
  },
  {
    title: 'quantity as a string in the updated pet',
    alter: when(isUpdate, 200, (text) => text.replace(/"quantity":(\d+)/, '"quantity":"$1"')),
    failed: ['a new quantity is echoed and listed', 'quantity 0 is 200'],
    violation: 'Response body property quantity must be integer',
  },
  {
    title: 'a missing field',
    alter: when(isUpdate, 200, (text) => text.replace(/,"status":"\w+"/, '')),
    failed: ['a new quantity is echoed and listed'],
    violation: "Response body must have required property 'status'",
  },
  {
    title: 'a status that is no PetStatus',
    alter: when(isList, 200, (text) => text.replaceAll('"pending"', '"reserved"')),
    failed: ['a valid key is 200'],
    violation: 'Response body property 3.status must be equal to one of the allowed values: available, pending, sold',
  },
  {
    title: 'more than one entry for a pet',
    alter: when(isList, 200, (text) => text.replace('"petId":2', '"petId":1')),
    failed: ['a valid key is 200'],
    violation: 'The list has more than one entry for pet 1',
  },
  {
    title: 'an object around the list',
    alter: when(isList, 200, (text) => `{"inventory":${text}}`),
    failed: ['a valid key is 200'],
    violation: 'Response body must be array',
  },
  {
    title: '200 for an unknown pet',
    alter: (answer) => (answer.status === 404 ? json('{"petId":404,"quantity":1,"status":"sold"}') : answer),
    failed: ['an unknown pet is 404'],
    violation: 'The status is 200 and should be 404',
  },
  {
    title: '404 in place of 400',
    alter: (answer) => (answer.status === 400 ? json('{"code":"c","message":"m","status":404}', 404) : answer),
    failed: ['no quantity is 400', 'quantity "5" is 400', 'a body that is not JSON is 400'],
    violation: 'The status is 404 and should be 400',
  },
  {
    title: '418',
    alter: (answer, { request }) => (isList(request) ? json('[]', 418) : answer),
    failed: ['a valid key is 200', 'no key is 401'],
    violation: 'The status is 418 and should be 200',
  },
  {
    title: '500 in place of 400',
    alter: (answer) => (answer.status === 400 ? json('{"code":"c","message":"m","status":500}', 500) : answer),
    failed: ['quantity null is 400'],
    violation: 'The status is 500 and should be 400',
  },
  {
    title: 'HTML in place of an Error',
    alter: (answer) => (answer.ok ? answer : new Response('<h1>No</h1>', { status: answer.status, headers: HTML })),
    failed: ['no key is 401', 'an unknown pet is 404'],
    violation: 'The Content-Type is "text/html" and must be application/json',
  },
  {
    title: 'no Content-Type',
    alter: async (answer) => new Response(await answer.arrayBuffer(), { status: answer.status }),
    failed: ['a valid key is 200', 'no quantity is 400'],
    violation: 'The Content-Type is missing and must be application/json',
  },
  {
    title: 'half a list',
    alter: when(isList, 200, (text) => text.slice(0, -1)),
    failed: ['a valid key is 200'],
    violation: /^Response body cannot be read as JSON: /,
  },
  {
    title: 'Errors without code',
    alter: whenError((text) => text.replace(/"code":"\w+",/, '')),
    failed: ['no key is 401', 'quantity true is 400', 'an unknown pet is 404'],
    violation: "Response body must have required property 'code'",
  },
  {
    title: 'Errors with an empty code',
    alter: whenError((text) => text.replace(/"code":"\w+"/, '"code":""')),
    failed: ['no key is 401', 'an unknown pet is 404'],
    violation: 'The code of the Error object is empty',
  },
  {
    title: 'Errors that say another status',
    alter: whenError((text) => text.replace(/"status":\d+/, '"status":499')),
    failed: ['no key is 401', 'an unknown pet is 404'],
    violation: 'Response body property status must repeat the HTTP status 401, got 499',
  },
  {
    title: 'a 401 without WWW-Authenticate',
    alter: whenError((text) => text),
    failed: ['401 names Bearer in WWW-Authenticate'],
    violation: 'WWW-Authenticate is missing',
  },
  {
    title: 'any key taken',
    options: { anyKey: true },
    failed: ['a wrong key is 401', 'a wrong key with a bad body is 401'],
    violation: 'The status is 200 and should be 401',
  },
  {
    title: 'no key asked for',
    alter: (answer, { request }) => (answer.status === 401 && isList(request) ? json('[]') : answer),
    failed: ['no key is 401', 'a wrong key is 401', 'the key under another scheme is 401'],
    violation: 'The status is 200 and should be 401',
  },
  {
    title: 'an update that is answered and not made',
    alter: when(isUpdate, 200, (text) => text.replace(/"quantity":-?\d+/, '"quantity":12')),
    failed: ['a new quantity is echoed and listed'],
    violation: /^The response says quantity 12 and should say \d+$/,
  },
  {
    title: 'a list that does not show the update',
    alter: createStaleList(),
    failed: ['a new quantity is echoed and listed'],
    violation: /^The next list shows quantity 12 for pet 1 and should show \d+$/,
  },
  {
    title: 'an update that changes the status',
    alter: when(isUpdate, 200, (text) => text.replace('available', 'sold')),
    failed: ['a new quantity is echoed and listed'],
    violation: 'The response says sold and the pet was available: an update sets the quantity alone',
  },
  {
    title: 'an update that answers another pet',
    alter: when(isUpdate, 200, (text) => text.replace('"petId":1', '"petId":2')),
    failed: ['a new quantity is echoed and listed'],
    violation: 'The response is pet 2 and should be pet 1',
  },
  {
    title: 'an update that changes other pets',
    alter: (answer, { request, count }) =>
      isList(request) && count > 0 ? rewrite(answer, (text) => text.replace('"quantity":25', '"quantity":26')) : answer,
    failed: ['a new quantity is echoed and listed'],
    violation: 'The next list shows quantity 26 for pet 5 and should show 25',
  },
  {
    title: 'a range of quantity that the specification does not give',
    options: { quantity: { min: 0, max: 1000 } },
    failed: ['a negative quantity is 200', 'quantity 2^53−1 is 200'],
    violation: 'The status is 400 and should be 200',
  },
  {
    title: 'an update that breaks the connection',
    alter: (answer, { request }) => (isUpdate(request) ? Response.error() : answer),
    failed: ['no quantity is 400'],
    violation: /^The service sent no complete response: /,
  },
  {
    title: 'a refused quantity that is applied all the same',
    alter(answer, { mock, petId, body }) {
      if (answer.status === 400 && body === '{"quantity":"5"}') mock.inventory.set(petId, { quantity: 5 })
      return answer
    },
    failed: ['quantity "5" is 400'],
    violation: 'After the 400: The next list shows quantity 5 for pet 1 and should show 12',
  },
  {
    title: 'an update without a key that is applied all the same',
    alter(answer, { mock, request, petId, body }) {
      if (answer.status === 401 && isUpdate(request))
        mock.inventory.set(petId, JSON.parse(body) as { quantity: number })
      return answer
    },
    failed: ['no key is 401', 'a wrong key is 401'],
    violation: 'After the 401: The next list shows quantity 613 for pet 1 and should show 12',
  },
  {
    title: 'updates of the first pet alone',
    alter: (answer, { request, petId }) =>
      isUpdate(request) && petId !== '1' ? json('{"code":"c","message":"m","status":404}', 404) : answer,
    failed: ['a pet at the other end of the list is updated'],
    violation: 'The status is 404 and should be 200',
  },
  {
    title: 'ids that are compared as doubles',
    options: { fixture: 'int64-edges' },
    alter: (answer, { mock, request, petId, body }) => {
      const [first] = mock.inventory.list().filter((pet) => Number(pet.petId) === Number(petId))
      if (first === undefined || !isUpdate(request) || answer.status !== 200) return answer
      mock.inventory.set(first.petId, JSON.parse(body) as { quantity: number })
      return answer
    },
    failed: ['its neighbour is updated'],
    violation: /^The next list shows quantity \d+ for pet \S+ and should show \d+$/,
  },
  {
    title: 'an unknown pet that is found by the double nearest to its id',
    options: { fixture: { inventory: [{ petId: '9007199254740993', quantity: 1, status: 'sold' }] } },
    alter: (answer, { petId }) =>
      answer.status === 404 && petId.startsWith('90071992547')
        ? json('{"petId":9007199254740993,"quantity":1,"status":"sold"}')
        : answer,
    failed: ["an unknown pet whose id rounds to another pet's is 404"],
    violation: 'The status is 200 and should be 404',
  },
  {
    title: 'an unknown pet that is created beside its 404',
    alter(answer, { mock, petId }) {
      if (answer.status === 404) mock.inventory.add({ petId, quantity: 1, status: 'sold' })
      return answer
    },
    failed: ['an unknown pet is 404'],
    violation: /^After the 404: Pet \d+ is in the next list and was not there before$/,
  },
  {
    title: 'quantities cut to 32 bits in the response',
    alter: when(isUpdate, 200, (text) => text.replace(/"quantity":(-?\d+)/, (_, digits) => `"quantity":${~~digits}`)),
    failed: ['quantity 2^53−1 is 200'],
    violation: 'The response says quantity -1 and should say 9007199254740991',
  },
  {
    title: 'a pet that is sold when its quantity is 0',
    alter(answer, { mock, petId, body }) {
      if (answer.status === 200 && body === '{"quantity":0}') mock.inventory.set(petId, { status: 'sold' })
      return answer
    },
    failed: ['quantity 0 is 200'],
    violation: 'The next list shows pet 1 as sold, and it was available: an update sets the quantity alone',
  },
]

const HTML = { 'content-type': 'text/html' }

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
