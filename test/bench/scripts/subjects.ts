// Runs one subject in a process of its own: for each number that comes it works so many times, and sends the time.
import { importFromBuild } from '../builds.ts'
import { AUTHORIZATION, TEN_PETS } from '../wire.ts'

/** One side of a comparison inside a process: the same work again and again. */
interface Subject {
  /** What the work gives, to compare with what the other side's gives. */
  check(): unknown
  /** Does the work so many times; gives what it took, in milliseconds. */
  run(count: number): Promise<number>
}

/** What a subject does; `turn` counts from 0. */
interface SubjectWork {
  /** What comes before each work and is not timed. */
  readonly prepare?: (turn: number) => void
  readonly work: (turn: number) => unknown
  /** @default the first work */
  readonly check?: () => unknown
}

function createSubject({ prepare = () => {}, work, check = () => work(0) }: SubjectWork): Subject {
  let turn = 0
  return {
    check,
    async run(count) {
      let time = 0
      for (const end = turn + count; turn < end; turn += 1) {
        prepare(turn)
        const start = performance.now()
        const result = work(turn)
        if (result instanceof Promise) await result
        time += performance.now() - start
      }
      return time
    },
  }
}

type Index = typeof import('../../../src/index.ts')

const URL_OF_LIST = 'http://localhost/v1/inventory'
const INIT = { headers: { authorization: AUTHORIZATION } }

/** `mock.fetch` of the ten pets, read as JSON. */
async function createFetchList(): Promise<Subject> {
  const { createMock } = await importFromBuild<Index>('petstore-mock')
  const mock = createMock()
  return createSubject({ work: async () => (await mock.fetch(URL_OF_LIST, INIT)).json() })
}

/** What fetch's own classes cost for the same: a Request, a Response of JSON, and to read it. */
async function createPlainFetchList(): Promise<Subject> {
  const work = async (): Promise<unknown> => {
    const request = new Request(URL_OF_LIST, INIT)
    const status = request.headers.get('authorization') === AUTHORIZATION ? 200 : 401
    return Response.json(TEN_PETS, { status }).json()
  }
  return createSubject({ work })
}

const BASE = 'https://api.petstore.example/v1'

/** The global `fetch`, answered by `interceptRequests`. */
async function createInterceptedFetch(): Promise<Subject> {
  const { createMock } = await importFromBuild<Index>('petstore-mock')
  const { interceptRequests } =
    await importFromBuild<typeof import('../../../src/runtimes/node.ts')>('petstore-mock/node')
  interceptRequests(createMock({ baseUrl: BASE }))
  return createSubject({ work: fetchList })
}

/** The global `fetch`, answered by a handler of one's own in msw's `setupServer`. */
async function createSetupServerFetch(): Promise<Subject> {
  const { http, HttpResponse } = await importFromBuild<typeof import('msw')>('msw')
  const { setupServer } = await importFromBuild<typeof import('msw/node')>('msw/node')
  const list = http.get(`${BASE}/inventory`, ({ request }) => {
    const status = request.headers.get('authorization') === AUTHORIZATION ? 200 : 401
    return HttpResponse.json(TEN_PETS, { status })
  })
  setupServer(list).listen()
  return createSubject({ work: fetchList })
}

async function fetchList(): Promise<unknown> {
  const response = await fetch(`${BASE}/inventory`, { headers: { authorization: AUTHORIZATION } })
  return { status: response.status, pets: await response.json() }
}

const CHANGES = 10

/** `reset()` after ten changes; the changes are not timed. */
async function createResetState({ pets }: { pets: number }): Promise<Subject> {
  const { createMock, generateFixture } = await importFromBuild<Index>('petstore-mock')
  const mock = createMock({ fixture: generateFixture({ pets }) })
  const prepare = (): void => {
    for (let petId = 1; petId <= CHANGES; petId += 1) mock.inventory.set(petId, { quantity: 1000 + petId })
  }
  const isChanged = (): boolean => mock.inventory.get(1)?.quantity === 1001
  const check = (): unknown => {
    prepare()
    const before = isChanged()
    mock.reset()
    return { before, after: isChanged() }
  }
  return createSubject({ prepare, work: () => mock.reset(), check })
}

/** All subjects, by name. */
const SUBJECTS = {
  'fetch-list': createFetchList,
  'plain-fetch-list': createPlainFetchList,
  'intercepted-fetch': createInterceptedFetch,
  'setup-server-fetch': createSetupServerFetch,
  'reset-state': createResetState,
} as const satisfies Record<string, (options: { readonly pets: number }) => Promise<Subject>>

export type SubjectName = keyof typeof SUBJECTS

const [name = '', options = '{}'] = process.argv.slice(2)
const subject = await SUBJECTS[name as SubjectName](JSON.parse(options))

process.on('message', async (count: number) => {
  const answer = count === 0 ? await subject.check() : await subject.run(count)
  process.send?.({ answer })
})
process.on('disconnect', () => process.exit())
process.send?.({ answer: 'ready' })
