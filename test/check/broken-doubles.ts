import { toHandlerOutcome } from '../../src/http/outcome.ts'
import { createMock, type MockOptions } from '../../src/index.ts'
import { type RunningServer, serve } from '../../src/runtimes/server.ts'

/** A mock that breaks a rule, and what a check says of it. */
export interface BrokenDouble {
  readonly title: string
  readonly options?: MockOptions
  /** Gives another answer in the place of the right one. */
  readonly alter?: Alter
  /** The cases that fail, among others. */
  readonly failed: readonly string[]
  /** What is said of the first of them. */
  readonly violation: string | RegExp
}

type Alter = (answer: Response, exchange: AlteredExchange) => Response | Promise<Response>

interface AlteredExchange {
  readonly request: Request
  /** How often such a request was answered before. */
  readonly count: number
}

const isList = ({ method }: Request): boolean => method === 'GET'
const isUpdate = ({ method }: Request): boolean => method === 'PATCH'

/** One for each way in which a service can be wrong. */
export const BROKEN_DOUBLES: readonly BrokenDouble[] = [
  {
    title: 'quantity as a string in the list',
    alter: when(isList, 200, (text) => text.replaceAll(/"quantity":(\d+)/g, '"quantity":"$1"')),
    failed: ['a valid key is 200'],
    violation: 'Response body property 0.quantity must be integer',
  },
  {
    title: 'quantity as a string in the updated pet',
    alter: when(isUpdate, 200, (text) => text.replace(/"quantity":(\d+)/, '"quantity":"$1"')),
    failed: ['the answer is the pet with its new quantity', 'quantity 0 is 200'],
    violation: 'Response body property quantity must be integer',
  },
  {
    title: 'a missing field',
    alter: when(isUpdate, 200, (text) => text.replace(/,"status":"\w+"/, '')),
    failed: ['the answer is the pet with its new quantity'],
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
    failed: ['the answer is the pet with its new quantity'],
    violation: 'The quantity is 12 and should be 1',
  },
  {
    title: 'a list that does not show the update',
    alter: createStaleList(),
    failed: ['the next list shows the new quantity'],
    violation: /^The list shows the quantity 12 and should show \d+$/,
  },
  {
    title: 'an update that changes the status',
    alter: when(isUpdate, 200, (text) => text.replace('available', 'sold')),
    failed: ['the answer is the pet with its new quantity'],
    violation: "The pet's status is sold and was available: an update sets the quantity alone",
  },
  {
    title: 'an update that answers another pet',
    alter: when(isUpdate, 200, (text) => text.replace('"petId":1', '"petId":2')),
    failed: ['the answer is the pet with its new quantity'],
    violation: 'The answer is pet 2 and should be pet 1',
  },
  {
    title: 'an update that changes other pets',
    alter: (answer, { request, count }) =>
      isList(request) && count > 0 ? rewrite(answer, (text) => text.replace('"quantity":25', '"quantity":26')) : answer,
    failed: ['all other pets stay as they were'],
    violation: 'Pet 5 is not as it was before the update of another',
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
    failed: ['no quantity is 400', 'the old quantity is set again'],
    violation: /^The service did not answer: /,
  },
]

const HTML = { 'content-type': 'text/html' }

/** Serves a mock that gives altered answers. */
export function serveAltered({ options, alter = (answer) => answer }: Partial<BrokenDouble>): Promise<RunningServer> {
  const mock = createMock(options)
  const counts = new Map<string, number>()
  return serve({
    async answer(call) {
      const request = call.toRequest() as Request
      const kind = `${request.method} ${call.url.pathname}`
      const count = counts.get(kind) ?? 0
      counts.set(kind, count + 1)
      const answer = await mock.fetch(request)
      const isListed = call.url.pathname.startsWith('/v1/inventory')
      return toHandlerOutcome(isListed ? await alter(answer, { request, count }) : answer)
    },
  })
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
