import { toBaseUrls } from '../http/base-url.ts'
import { hideInAddress } from '../http/hide-credentials.ts'
import { MockError } from '../http/mock-error.ts'
import { cut } from '../http/quote.ts'
import { type CheckedService, NoAnswer } from './ask.ts'
import { LENIENT_JUDGE } from './judge.ts'
import { createSession, type Exchange, Inconclusive } from './session.ts'
import { type ListedPet, parsePets } from './stock.ts'

/** The pets that the cases update. */
export interface ChosenPets {
  /** The pet that most cases update; `undefined` if there is none. */
  readonly pet: ListedPet | undefined
  /** Another pet, from the other end of the list. */
  readonly otherPet: ListedPet | undefined
  /** Pets with ids that JavaScript numbers cannot represent: two that round to the same number, or just one. */
  readonly largePets: readonly ListedPet[]
  /** The first pet with each status. */
  readonly petsByStatus: ReadonlyMap<unknown, ListedPet>
  /** An id that no pet has, and that rounds to the same double as a pet's. */
  readonly absentNeighbour: string | undefined
}

/** The state before the first case, and which pets may be updated. */
export interface Survey extends ChosenPets {
  readonly pets: readonly ListedPet[]
  /** The ids of all pets that may be updated. */
  readonly changeable: ReadonlySet<string>
  /** Why no pet can be updated. */
  readonly petlessReason: string
  /** An id that no pet has. */
  readonly absentPetId: string
  /** An id that no pet has, and that needs more than 32 bits. */
  readonly absentLongId: string
}

/**
 * Finds the inventory below a URL, and the pets that may be updated, before anything is checked.
 * @param petIds The ids of pets that may be updated, in decimal form. Any pet if omitted.
 * @throws {MockError} `CHECK_FAILED` if the service cannot be reached, rejects the key, or has no inventory at this URL;
 * `INVALID_OPTION` for an invalid URL or an unknown pet.
 */
export async function surveyService(
  { url, ...options }: CheckedService,
  { petIds, timeout }: { petIds?: readonly string[] | undefined; timeout?: AbortSignal } = {},
): Promise<{ readonly service: CheckedService; readonly survey: Survey }> {
  const bases = parseBases(url)
  for (const base of bases) {
    const service = { ...options, url: base }
    const exchange = await readList(service, timeout)
    if (exchange.status === 404 && bases.length > 1) continue
    const problem = findProblem(exchange, base)
    if (problem !== undefined) throw toError(base, problem)
    return { service, survey: toSurvey(exchange, { url: base, petIds }) }
  }
  const addresses = bases.map((base) => `${base}/inventory`).join(' or ')
  const sentence = `there is no inventory at ${addresses} (404). Pass the URL with its base path.`
  throw new MockError('CHECK_FAILED', `Failed to check the service: ${sentence}`)
}

function parseBases(text: string): readonly [string, ...string[]] {
  const url = URL.parse(text)
  const isPlain = url?.search === '' && url.hash === '' && url.username === '' && url.password === ''
  if (url === null || !isPlain || !/^https?:$/.test(url.protocol)) {
    throw new MockError(
      'INVALID_OPTION',
      `Failed to check ${JSON.stringify(cut(hideInAddress(text)))}: it is not the URL of a service. Pass one like http://127.0.0.1:4100, with or without its base path.`,
    )
  }
  return toBaseUrls(url)
}

/** Nobody waits long for a service that was never there. */
async function readList(service: CheckedService, timeout: AbortSignal | undefined): Promise<Exchange> {
  const session = createSession({ service, judge: LENIENT_JUDGE, timeout, patienceMs: 3000 })
  return session.send({ operation: 'listInventory' }).catch((error: unknown) => {
    if (!(error instanceof NoAnswer || error instanceof Inconclusive)) throw error
    throw toError(service.url, `${error.message}. Check that the service is running, and that the URL is right.`, error)
  })
}

function toError(url: string, reason: string, cause?: unknown): MockError {
  return new MockError('CHECK_FAILED', `Failed to check ${url}: ${reason}`, { cause })
}

/** Problems that make every case pointless, as one sentence instead of a report full of failures. */
function findProblem({ status, headers }: Exchange, url: string): string | undefined {
  const where = 'GET /inventory'
  const contentType = headers.get('content-type') ?? ''
  if (status === 401 || status === 403) return `${where} rejects the key (${status}). Pass a valid one with --api-key.`
  if ((status === 404 || status === 405) && url.endsWith('/inventory'))
    return `there is no inventory at ${url}/inventory (${status}). Pass the base path alone: ${url.slice(0, -'/inventory'.length)}`
  if (status === 404) return `${where} is 404. Is the base path missing, as in http://127.0.0.1:4100/v1?`
  if (/^text\/html\b/i.test(contentType))
    return `${where} returns a page (${contentType}) instead of JSON. Is it a website?`
  if (status < 300 || status >= 400) return undefined
  return `${where} redirects to ${hideInAddress(headers.get('location') ?? 'nowhere')}. Pass that URL instead.`
}

function toSurvey(
  { status, json }: Exchange,
  { url, petIds }: { url: string; petIds: readonly string[] | undefined },
): Survey {
  const pets = status === 200 ? parsePets(json) : undefined
  const known = new Set(pets?.map(({ petId }) => petId))
  const unknown = petIds?.find((petId) => !known.has(petId))
  if (unknown !== undefined) {
    throw new MockError('INVALID_OPTION', `Failed to check ${url}: it has no pet ${unknown} to update.`)
  }
  const changeable = (pets ?? []).filter(({ petId }) => petIds?.includes(petId) ?? true)
  return {
    pets: pets ?? [],
    ...choosePets(changeable, known),
    changeable: new Set(changeable.map(({ petId }) => petId)),
    petlessReason: pets === undefined ? 'the list could not be read' : 'there is no pet to update',
    absentPetId: findAbsentId(known),
    absentLongId: findAbsentLongId(known, changeable[0]),
  }
}

/** An int32, which any implementation accepts as a petId. */
function findAbsentId(taken: ReadonlySet<string>): string {
  let id = 999_999_937
  while (taken.has(String(id))) id -= 1
  return String(id)
}

/** An id beyond 32 bits, which is that of a pet if it is cut to 32 bits. */
function findAbsentLongId(taken: ReadonlySet<string>, pet: ListedPet | undefined): string {
  let id = BigInt.asIntN(32, BigInt(pet?.petId ?? 0)) + 2n ** 32n
  while (taken.has(String(id))) id += 2n ** 32n
  return String(id)
}

/**
 * @param pets The pets that may be updated.
 * @param known The ids of all pets.
 */
export function choosePets(pets: readonly ListedPet[], known: ReadonlySet<string>): ChosenPets {
  return {
    pet: pets[0],
    otherPet: pets.length > 1 ? pets.at(-1) : undefined,
    largePets: findLargePets(pets),
    petsByStatus: new Map(pets.toReversed().map((pet) => [pet.status, pet])),
    absentNeighbour: pets.flatMap(({ petId }) => findNeighbours(petId)).find((id) => !known.has(id)),
  }
}

/** All of them, without repetition. */
export function listChosen({ pet, otherPet, largePets, petsByStatus }: ChosenPets): readonly ListedPet[] {
  const pets = [pet, otherPet, ...largePets, ...petsByStatus.values()]
  return [...new Set(pets.filter((each) => each !== undefined))]
}

function findLargePets(pets: readonly ListedPet[]): readonly ListedPet[] {
  const large = pets.filter(({ petId }) => isLarge(petId))
  const byDouble = Map.groupBy(large, ({ petId }) => Number(petId))
  const pair = Array.from(byDouble.values()).find(({ length }) => length > 1)
  return (pair ?? large.slice(0, 1)).slice(0, 2)
}

function isLarge(petId: string): boolean {
  return !Number.isSafeInteger(Number(petId))
}

/** Other int64s that round to the same double as an id. */
function findNeighbours(petId: string): string[] {
  if (!isLarge(petId)) return []
  const id = BigInt(petId)
  return [-1n, 1n, -2n, 2n]
    .map((distance) => id + distance)
    .filter((each) => BigInt.asIntN(64, each) === each && Number(each) === Number(id))
    .map(String)
}
