import { parseWith } from '../http/schema.ts'
import { ERROR_ORDERS, PROFILE, type Profile } from '../inventory/profile.ts'
import { CASES, type Case, type ProfilePoint } from './cases.ts'
import { hideSecrets } from './evidence.ts'
import type { CaseResult } from './report.ts'
import type { CheckedService, Exchange } from './service.ts'

/** One point, as the mock and as the service decide it. */
export interface FoundPoint {
  readonly point: ProfilePoint
  readonly ours: string | number
  /** `undefined` if it is unknown. */
  readonly theirs: string | number | undefined
  /** Why it is unknown, as a clause. */
  readonly reason: string | undefined
}

/** How a service decides where the specification is silent. */
export interface FoundProfile {
  readonly points: readonly FoundPoint[]
  /** The points that the service decides otherwise than the mock. */
  readonly profile: Profile
}

/** A case that was run. */
export interface CheckedCase {
  readonly row: Case
  readonly result: CaseResult
  /** The response to its first request. */
  readonly first: Exchange | undefined
}

/** Derives a profile from a run of the cases. */
export function findProfile(
  checked: readonly CheckedCase[],
  { found, service }: { found: { min?: number; max?: number }; service: CheckedService },
): FoundProfile {
  const ours = parseWith(PROFILE, {}, { failure: 'Failed to read the default profile' })
  const decide = (point: ProfilePoint): string | number => {
    const cases = checked.filter(({ row }) => row.point === point)
    const open = cases.find(({ result }) => result.verdict === 'skipped' || result.status === undefined)
    if (cases.length === 0 || open !== undefined) throw new Undecided(explain(open))
    const read = cases.map(({ first }) => first as Exchange)
    if (point === 'order') return findOrder(read)
    if (point === 'malformedPetIdOrder')
      return findPetIdOrder(read, { order: `${decide('order')}`, malformed: Number(decide('malformedPetId')) })
    if (point === 'quantity.min') return found.min as number
    if (point === 'quantity.max') return found.max as number
    return readPoint(point, read[0] as Exchange, service)
  }
  const names = Object.keys(ours)
  const points = [...new Set(CASES.map(({ point }) => point))]
    .filter((point) => point !== undefined)
    .map((point): FoundPoint => {
      const [name = '', part] = point.split('.')
      const value = Reflect.get(ours, name) as string | number | Readonly<Record<string, string | number>>
      const own = typeof value === 'object' ? (value[part ?? ''] as string | number) : value
      try {
        return { point, ours: own, theirs: decide(point), reason: undefined }
      } catch (error) {
        if (!(error instanceof Undecided)) throw error
        return { point, ours: own, theirs: undefined, reason: error.message }
      }
    })
    .sort((one, other) => names.indexOf(toName(one)) - names.indexOf(toName(other)))
  return { points, profile: toProfile(points) }
}

/** Why a point cannot be decided. */
class Undecided extends Error {}

function explain(open: CheckedCase | undefined): string {
  const findings = open?.result.findings ?? []
  return (findings.find(({ verdict }) => verdict === 'skipped') ?? findings[0])?.message ?? 'it was not checked'
}

/** @throws {Undecided} if the response fits no value of the point. */
function readPoint(point: ProfilePoint, exchange: Exchange, service: CheckedService): string | number {
  if (point === 'challenge') {
    toOneOf(exchange, [401])
    return exchange.headers.has('www-authenticate') ? 'send' : 'omit'
  }
  if (point.startsWith('codes.')) return readCode(exchange, Number(point.slice('codes.'.length)), service)
  if (point === 'malformedPetId' || point === 'petIdBeyondInt64') return toOneOf(exchange, [400, 404])
  if (point === 'lowerCaseScheme') return toOneOf(exchange, [200, 401]) === 200 ? 'accept' : 'reject'
  return toOneOf(exchange, [200, 400]) === 200 ? 'accept' : 'reject'
}

/** The order that fits the responses to requests with two errors each. */
function findOrder(exchanges: readonly Exchange[]): string {
  const toStatuses = (order: string): readonly number[] => [
    toFirst(order, 401, 400),
    toFirst(order, 401, 404),
    toFirst(order, 400, 404),
  ]
  return findFit(
    ERROR_ORDERS.map((order) => [order, toStatuses(order)]),
    exchanges,
  )
}

/** The place of the check for a malformed id that fits a wrong key and a bad body beside it. */
function findPetIdOrder(
  exchanges: readonly Exchange[],
  { order, malformed }: { order: string; malformed: number },
): string {
  const keyOrId = toFirst(order, 401, 400) === 401 ? 401 : malformed
  const places = [
    ['as others', [toFirst(order, 401, malformed), toFirst(order, 400, malformed)]],
    ['before body', [keyOrId, malformed]],
    ['first', [malformed, malformed]],
  ] as const
  return findFit(places, exchanges)
}

function toFirst(order: string, one: number, other: number): number {
  return order.indexOf(`${one}`) < order.indexOf(`${other}`) ? one : other
}

/** The value whose statuses were seen. */
function findFit(
  values: readonly (readonly [value: string, statuses: readonly number[]])[],
  exchanges: readonly Exchange[],
): string {
  const seen = exchanges.map(({ status }) => status).join(', ')
  const [found] = values.find(([, statuses]) => statuses.join(', ') === seen) ?? []
  if (found === undefined) throw new Undecided(`no order fits the statuses ${seen}`)
  return found
}

function toOneOf({ status }: Exchange, statuses: readonly number[]): number {
  if (statuses.includes(status)) return status
  throw new Undecided(`the status is ${status} and should be one of ${statuses.join(', ')}`)
}

/** In characters. A longer one is hardly a code, and would fill the terminal and the file. */
const LONGEST_CODE = 200

/** @throws {Undecided} also for a code that repeats the key, which must not get into a file. */
function readCode(exchange: Exchange, status: number, service: CheckedService): string {
  toOneOf(exchange, [status])
  const { code } = (exchange.json ?? {}) as { readonly code?: unknown }
  if (typeof code !== 'string' || code === '') throw new Undecided('the Error object has no code')
  if (code.length > LONGEST_CODE) throw new Undecided(`the code is longer than ${LONGEST_CODE} characters`)
  if (hideSecrets(code, service) !== code) throw new Undecided('the code repeats the API key')
  return code
}

/** `codes` for `codes.401`. */
function toName({ point }: FoundPoint): string {
  return point.replace(/\..*/, '')
}

function toProfile(points: readonly FoundPoint[]): Profile {
  const profile: Record<string, unknown> = {}
  for (const { point, ours, theirs } of points) {
    if (theirs === undefined || theirs === ours) continue
    const [name = '', part] = point.split('.')
    profile[name] = part === undefined ? theirs : { ...(profile[name] as object | undefined), [part]: theirs }
  }
  return profile
}
