import { isJsonObject } from '../http/exact-json.ts'
import { MockError } from '../http/mock-error.ts'
import { showValue } from '../http/quote.ts'
import type { Profile } from '../inventory/profile.ts'
import { createMock } from '../service/create-mock.ts'
import { type Fixture, FixtureError } from '../store/fixture.ts'
import { ask, type CheckRequest, type CheckResponse } from './service.ts'
import type { ListedPet } from './stock.ts'

/** A mock with the same stock, which answers every request of a check as well. */
export interface Twin {
  send(request: CheckRequest): Promise<CheckResponse>
  /** Gives the mock the stock of the service. @returns why it cannot hold it, as a clause. */
  load(
    pets: Iterable<Pick<ListedPet, 'petId' | 'status'> & { readonly quantity: string | undefined }>,
  ): string | undefined
}

/** A response of the service, and that of the twin to the same request, if there is one. */
export interface MirroredResponse extends CheckResponse {
  readonly ours: CheckResponse | undefined
}

/** No case may send this key by chance: a key that is cut short could be `demo-key`. */
const MOCK_KEY = 'petstore-check-mock-key'

/** @throws {MockError} `CHECK_FAILED` if the mock cannot hold the stock of the service. */
export function createTwin(
  pets: readonly ListedPet[],
  { profile, serviceUrl }: { profile: Profile; serviceUrl: string },
): Twin {
  const mock = createMock({ profile, apiKeys: [MOCK_KEY] })
  const load: Twin['load'] = (list) => {
    const inventory = Array.from(list, (pet) => ({ ...pet, quantity: Number(pet.quantity) }))
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
    const sentence = `Failed to compare ${serviceUrl} with the mock, which cannot hold its stock: ${reason}`
    throw new MockError('CHECK_FAILED', sentence)
  }
  const service = { url: 'http://mock/v1', apiKey: MOCK_KEY, fetch: mock.fetch }
  return { load, send: async (request) => (await ask(service, request)) as CheckResponse }
}

export interface Contrast {
  readonly response: MirroredResponse
  readonly ours: string
  readonly theirs: string
  /** The same for differences in numbers alone. */
  readonly cause: string
}

/**
 * Finds the first response that differs in what the specification defines, or in whether a 401 names Bearer.
 * @param foreign The pets that other clients change.
 */
export function findContrast(
  responses: readonly MirroredResponse[],
  foreign: ReadonlySet<string>,
): Contrast | undefined {
  for (const response of responses) {
    if (response.ours === undefined) continue
    const [ours, theirs] = [toView(response.ours), toView(response)]
    const id = [...ours.texts.keys(), ...theirs.texts.keys()].find(
      (each) => !foreign.has(each) && ours.texts.get(each) !== theirs.texts.get(each),
    )
    if (id === undefined) continue
    const show = ({ texts }: View): string =>
      id === WHOLE ? (texts.get(WHOLE) ?? '') : `200 […, ${texts.get(id) ?? `no pet ${id}`}, …]`
    return { response, ours: show(ours), theirs: show(theirs), cause: `${ours.cause}, ${theirs.cause}` }
  }
  return undefined
}

/** What the specification defines of a response: a text for the whole, and one for each pet of a list, in any order. */
interface View {
  readonly texts: ReadonlyMap<string, string>
  readonly cause: string
}

const WHOLE = ''

function toView({ status, headers, json }: CheckResponse): View {
  if (Array.isArray(json)) {
    const pets = json.map((item: unknown) => [isJsonObject(item) ? show(item['petId']) : '?', showPet(item)] as const)
    const whole = `${status} [${pets.length === new Map(pets).size ? '' : 'repeated pets'}]`
    return { texts: new Map([[WHOLE, whole], ...pets]), cause: whole }
  }
  // The message of an error is for people.
  const body = status < 400 ? showPet(json) : showMembers(json, ['code', 'status'])
  const challenge = status === 401 ? toChallenge(headers.get('www-authenticate')) : ''
  const whole = `${status} ${json === undefined ? 'no JSON' : body}${challenge}`
  return { texts: new Map([[WHOLE, whole]]), cause: status < 400 ? `${status}` : whole }
}

function showPet(json: unknown): string {
  return showMembers(json, ['petId', 'quantity', 'status'])
}

function showMembers(json: unknown, names: readonly string[]): string {
  if (!isJsonObject(json)) return show(json)
  const members = names.filter((name) => Object.hasOwn(json, name))
  return `{${members.map((name) => `"${name}":${show(json[name])}`).join(',')}}`
}

/** In full, because a credential must be hidden before a text is cut. */
function show(value: unknown): string {
  return showValue(value, Number.POSITIVE_INFINITY)
}

function toChallenge(value: string | null): string {
  if (value === null) return ', without WWW-Authenticate'
  return /^bearer\b/i.test(value) ? '' : ', with a WWW-Authenticate other than Bearer'
}
