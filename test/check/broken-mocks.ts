import type { Bytes } from '../../src/http/bytes.ts'
import { createMock, type Mock, type MockOptions } from '../../src/index.ts'
import { type RunningServer, serve } from '../../src/runtimes/server.ts'
import { toService, withService } from '../../src/service/mock.ts'
import { toHandlerOutcome } from '../../src/service/run-handlers.ts'

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
}

const isUpdate = ({ method }: Request): boolean => method === 'PATCH'

/** Mocks with a defect that no service of `services/` has. */
export const BROKEN_MOCKS: readonly BrokenMock[] = [
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
    title: 'an update that breaks the connection',
    alter: (answer, { request }) => (isUpdate(request) ? Response.error() : answer),
    failed: 'no quantity is 400',
    violation: /^The service sent no complete response: /,
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
]

/** Serves a mock that gives altered answers. */
export function serveAltered({ options, alter = (answer) => answer }: Partial<BrokenMock>): Promise<RunningServer> {
  const mock = createMock(options)
  const altered = withService(mock, {
    ...toService(mock),
    async answer(call) {
      const readBody = async () => (await call.readBody(65_536)) as Bytes
      const request = (await call.toRequest(readBody)) as Request
      const body = await request.clone().text()
      const answer = await mock.fetch(request)
      const petId = call.url.pathname.split('/').at(-1) ?? ''
      const isListed = call.url.pathname.startsWith('/v1/inventory')
      return toHandlerOutcome(isListed ? await alter(answer, { mock, request, petId, body }) : answer)
    },
  })
  return serve(altered)
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
