import { isJsonObject } from '../http/exact-json.ts'
import { hideInHeader } from '../http/hide-credentials.ts'
import { MockError } from '../http/mock-error.ts'
import { showValue } from '../http/quote.ts'
import type { Profile } from '../inventory/profile.ts'
import { createMock } from '../service/create-mock.ts'
import { type Fixture, FixtureError } from '../store/fixture.ts'
import { LENIENT_JUDGE } from './judge.ts'
import { hideKey } from './keys.ts'
import { type CheckRequest, type Exchange, findOperation, toExchange, toRawRequest } from './session.ts'
import type { ListedPet } from './stock.ts'

/** A mock with the same stock, which answers every request of a check as well. */
export interface Twin {
  send(request: CheckRequest): Promise<Exchange>
  /** Gives the mock the stock of the service. @returns why it cannot hold it, as a clause. */
  load(pets: readonly ListedPet[]): string | undefined
}

/** An exchange with the service, and the same with the twin, if there is one. */
export interface MirroredExchange extends Exchange {
  readonly ours: Exchange | undefined
}

/** No case may send this key by chance: a key that is cut short could be `demo-key`. */
const MOCK_KEY = 'petstore-check-mock-key'

/**
 * @param apiKey The key of the service, which becomes that of the mock in every request.
 * @throws {MockError} `CHECK_FAILED` if the mock cannot hold the stock of the service.
 */
export function createTwin(
  pets: readonly ListedPet[],
  { profile, apiKey, url }: { profile: Profile; apiKey: string; url: string },
): Twin {
  const mock = createMock({ profile, apiKeys: [MOCK_KEY] })
  const load: Twin['load'] = (list) => {
    const inventory = list.map(({ petId, quantity, status }) => ({ petId, quantity: Number(quantity), status }))
    try {
      mock.load({ inventory } as Fixture)
    } catch (error) {
      if (!(error instanceof FixtureError)) throw error
      return error.problems[0]
    }
    return undefined
  }
  const reason = load(pets)
  if (reason !== undefined) {
    const sentence = `Failed to compare ${url} with the mock, which cannot hold its stock: ${reason}`
    throw new MockError('CHECK_FAILED', sentence)
  }
  const withMockKey = (text: string): string => {
    const [basic, own] = [apiKey, MOCK_KEY].map((key) => Buffer.from(`${key}:`).toString('base64')) as [string, string]
    return text.replace(apiKey, () => MOCK_KEY).replace(basic, () => own)
  }
  return {
    load,
    async send(request) {
      const { authorization } = request
      const credential = typeof authorization === 'string' && { authorization: withMockKey(authorization) }
      const { method, path, headers, body } = toRawRequest({ ...request, ...credential }, MOCK_KEY)
      const bytes = body === undefined ? null : new TextEncoder().encode(body)
      const response = await mock.fetch(`http://mock/v1${path}`, { method, headers, body: bytes })
      const read = new Uint8Array(await response.arrayBuffer())
      return toExchange(request, { status: response.status, headers: response.headers, body: read }, LENIENT_JUDGE)
    },
  }
}

/** A request that the mock and the service answer differently, as lines of text without credentials. */
export interface Difference {
  readonly request: string
  readonly ours: string
  readonly theirs: string
}

const LONGEST_VALUE = 60

/** Finds the first exchange that differs in what the specification defines, or in whether a 401 names Bearer. */
export function findDifference(exchanges: readonly MirroredExchange[], apiKey: string): Difference | undefined {
  for (const { ours, ...theirs } of exchanges) {
    if (ours === undefined) continue
    const [own, other] = compareViews(toView(ours), toView(theirs))
    if (own !== other) return { request: showRequest(theirs.request), ours: own, theirs: hideKey(other, apiKey) }
  }
  return undefined
}

/** Texts that differ if the responses do. Of a list, they show the first pet that differs. */
function compareViews(ours: ResponseView, theirs: ResponseView): readonly [string, string] {
  if (ours.text !== theirs.text) return [ours.text, theirs.text]
  const petId = [...ours.pets.keys(), ...theirs.pets.keys()].find((id) => ours.pets.get(id) !== theirs.pets.get(id))
  if (petId === undefined) return ['', '']
  const show = ({ pets }: ResponseView): string => `200 […, ${pets.get(petId) ?? `no pet ${petId}`}, …]`
  return [show(ours), show(theirs)]
}

/** A response as text, apart from the pets of a list, whose order does not matter. */
interface ResponseView {
  readonly text: string
  readonly pets: ReadonlyMap<string, string>
}

function toView({ status, headers, json }: Exchange): ResponseView {
  if (Array.isArray(json)) {
    const pets = json.map((item: unknown) => [toPetId(item), showMembers(item, ITEM)] as const)
    return { text: `${status} [${pets.length === new Map(pets).size ? '' : 'repeated pets'}]`, pets: new Map(pets) }
  }
  const body = json === undefined ? 'no JSON' : showMembers(json, status < 400 ? ITEM : ERROR)
  const challenge = status === 401 ? toChallenge(headers.get('www-authenticate')) : ''
  return { text: `${status} ${body}${challenge}`, pets: new Map() }
}

const ITEM = ['petId', 'quantity', 'status']
const ERROR = ['code', 'status']

/** The members that the specification defines, apart from the message of an error, which is for people. */
function showMembers(json: unknown, names: readonly string[]): string {
  if (!isJsonObject(json)) return showValue(json, LONGEST_VALUE)
  const members = names.filter((name) => Object.hasOwn(json, name))
  return `{${members.map((name) => `"${name}":${showValue(json[name], LONGEST_VALUE)}`).join(',')}}`
}

function toPetId(item: unknown): string {
  return isJsonObject(item) ? showValue(item['petId'], LONGEST_VALUE) : ''
}

function toChallenge(value: string | null): string {
  if (value === null) return ', without WWW-Authenticate'
  return /^bearer\b/i.test(value) ? '' : ', with a WWW-Authenticate other than Bearer'
}

function showRequest({ operation, petId = '1', authorization, query, body, contentType }: CheckRequest): string {
  const { method, path } = findOperation(operation)
  const parts = [
    authorization === null && 'without Authorization',
    query !== undefined && 'with the key in the query',
    typeof authorization === 'string' && `with Authorization: ${hideInHeader('authorization', authorization)}`,
    contentType === null && 'without Content-Type',
    typeof contentType === 'string' && contentType !== 'application/json' && `with Content-Type: ${contentType}`,
  ].filter((part) => part !== false)
  const line = [method, path.replace('{petId}', petId), body, parts.join(', ')]
  return line.filter((part) => part !== undefined && part !== '').join(' ')
}
