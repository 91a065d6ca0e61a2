import * as v from 'valibot'
import { isPetKey } from '../inventory/pet.ts'
import { ERROR_ORDERS, PROFILE, type Profile } from '../inventory/profile.ts'
import type { Case, ProfilePoint } from './cases.ts'
import { hideSecrets } from './keys.ts'
import type { CaseResult } from './report.ts'
import type { CheckedService, CheckResponse } from './service.ts'
import type { ListedPet } from './stock.ts'
import { createTwin } from './twin.ts'

/** One point, as the mock with the given profile and as the service decide it. */
export interface FoundPoint {
  readonly point: ProfilePoint
  readonly ours: string | number
  /** `undefined` if it is unknown. */
  readonly theirs?: string | number | undefined
  /** Why it is unknown, as a clause. */
  readonly reason?: string
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
  readonly first: CheckResponse | undefined
}

interface Checked {
  readonly cases: readonly CheckedCase[]
  readonly range: { readonly min?: number; readonly max?: number }
  readonly service: CheckedService
  readonly pets: readonly ListedPet[]
  /** How the service is known to decide. @default as the mock does */
  readonly expected: Profile | undefined
}

/** The values that points can have, in the order in which they are tried. A code or a quantity can have any. */
const VALUES = [400, 404, 'accept', 'reject', 'send', 'omit', ...ERROR_ORDERS]

/** Derives a profile from a run of the cases: with it, a mock answers as the service did. */
export async function findProfile(checked: Checked): Promise<FoundProfile> {
  const points: FoundPoint[] = []
  const profile: Record<string, unknown> = {}
  const expected: Readonly<Record<string, unknown>> = { ...v.parse(PROFILE, checked.expected ?? {}) }
  for (const [name, rule] of Object.entries(v.parse(PROFILE, {}))) {
    for (const [part, standard] of typeof rule === 'object' ? Object.entries(rule) : [['', rule]]) {
      const point = (part === '' ? name : `${name}.${part}`) as ProfilePoint
      const decided = await decide(point, checked, profile)
      const ours = part === '' ? expected[name] : Object(expected[name])[part]
      points.push({ point, ours, ...decided })
      const { theirs } = decided
      if (theirs === undefined || theirs === standard) continue
      profile[name] = part === '' ? theirs : { ...(profile[name] as object | undefined), [part]: theirs }
    }
  }
  return { points, profile }
}

type Decided = Pick<FoundPoint, 'theirs' | 'reason'>

async function decide(point: ProfilePoint, checked: Checked, profile: Profile): Promise<Decided> {
  const { range, service, pets } = checked
  const cases = checked.cases.filter(({ row }) => row.point === point)
  const open = cases.find(({ result }) => result.verdict === 'skipped' || result.status === undefined)
  if (cases.length === 0 || open !== undefined) return { reason: explain(open) }
  if (point === 'quantity.min') return { theirs: range.min }
  if (point === 'quantity.max') return { theirs: range.max }
  const seen = cases.map(({ first }) => first as CheckResponse)
  const values = VALUES.filter((value) => v.safeParse(PROFILE, { [point]: value }).success)
  if (values.length === 0)
    return readCode(seen[0] as CheckResponse, { status: Number(point.slice('codes.'.length)), service })
  const ids = new Set(seen.map(({ request }) => request.petId))
  // A broken service may list an id that no mock can hold.
  const known = pets.filter(({ petId }) => ids.has(petId) && isPetKey(petId))
  const named = known.map((pet) => ({ ...pet, quantity: '1', status: 'sold' }))
  for (const value of values) {
    const twin = createTwin(named, { ...profile, [point]: value })
    const ours = await Promise.all(seen.map(({ request }) => twin(request)))
    if (ours.every((each, index) => toVisible(each, point) === toVisible(seen[index] as CheckResponse, point)))
      return { theirs: value }
  }
  return { reason: `no value leads to the status ${seen.map(({ status }) => status).join(', ')}` }
}

function explain(open: CheckedCase | undefined): string {
  const findings = open?.result.findings ?? []
  return (findings.find(({ verdict }) => verdict === 'skipped') ?? findings[0])?.message ?? 'it was not checked'
}

function toVisible({ status, headers }: CheckResponse, point: ProfilePoint): string {
  return point === 'challenge' ? `${status} ${headers.has('www-authenticate')}` : `${status}`
}

/** A code that repeats the key must not get into a file. */
function readCode(seen: CheckResponse, { status, service }: { status: number; service: CheckedService }): Decided {
  const { code } = (seen.json ?? {}) as { readonly code?: unknown }
  const isCode = seen.status === status && typeof code === 'string' && code !== '' && code.length <= 200
  if (!isCode) return { reason: `the response ${seen.status} has no code of 1 to 200 characters` }
  return hideSecrets(code, service) === code ? { theirs: code } : { reason: 'the code repeats the API key' }
}
