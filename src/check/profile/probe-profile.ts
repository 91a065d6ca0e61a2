import { parseWith } from '../../http/schema.ts'
import { PROFILE, type Profile } from '../../inventory/profile.ts'
import { type CheckServiceOptions, checkService } from '../check-service.ts'
import type { CheckedService } from '../conformance/ask.ts'
import type { ConformanceCase } from '../conformance/conformance-case.ts'
import { keepsQuantities } from '../conformance/first-updates.ts'
import { surveyService } from '../conformance/survey.ts'
import { LENIENT_JUDGE } from '../judge.ts'
import { openService, type ServiceOptions } from '../open-service.ts'
import { createProbeSession, type ProbeMemory, Undecided } from './probe-session.ts'
import { PROBES, type Probe, type ProfilePoint } from './probes.ts'

/** Options of `probeProfile`. */
interface ProbeOptions extends ServiceOptions, Pick<CheckServiceOptions, 'onCase' | 'onRestored'> {
  /** Whether to send updates. Without them, few points can be probed. */
  readonly write: boolean
  /**
   * The ids of pets that may be updated.
   * @default any pet
   */
  readonly petIds?: readonly string[] | undefined
}

/** One point, as the mock and as the service decide it. */
export interface ProbedPoint {
  readonly point: ProfilePoint
  readonly ours: string | number
  /** `undefined` if it is unknown. */
  readonly theirs: string | number | undefined
  /** Why it is unknown, as a clause. */
  readonly reason: string | undefined
}

/** How a service decides where the specification is silent. */
export interface ProbedProfile {
  readonly url: string
  readonly points: readonly ProbedPoint[]
  /** The points that the service decides otherwise than the mock. */
  readonly profile: Profile
  /** Whether the stock is as it was before. */
  readonly isRestored: boolean
}

/**
 * Finds out how a running service decides each point of a profile. It needs no Prism. The stock is restored afterwards.
 * @throws {MockError} `INVALID_OPTION` for an invalid URL or an unknown pet; `CHECK_FAILED` if the service cannot be
 * reached, rejects the key, or takes too long.
 * @example
 * const { profile } = await probeProfile({ url: 'http://127.0.0.1:4100', write: true })
 */
export async function probeProfile(options: ProbeOptions): Promise<ProbedProfile> {
  return openService(options, (service) => probe(service, options))
}

async function probe(
  service: CheckedService,
  { write, petIds, onCase, onRestored }: ProbeOptions,
): Promise<ProbedProfile> {
  const survey = await surveyService(service, petIds)
  const found = new Map<string, string | number>()
  const memory: ProbeMemory = {}
  const probes = Object.entries(PROBES).map(([point, probe]) => toCase(point, { probe, found, memory }))
  // Chooses pets whose stock can be restored.
  const pack = [keepsQuantities, ...probes]
  const results = await checkService(
    { ...service, judge: LENIENT_JUDGE },
    { survey, isForeign: true, mayWrite: write, pack, onCase, onRestored },
  )
  const ours = parseWith(PROFILE, {}, { failure: 'Failed to read the default profile' })
  const names = Object.keys(ours)
  const points = (Object.keys(PROBES) as ProfilePoint[])
    .map((point, index) => ({
      point,
      ours: readPoint(ours, point),
      theirs: found.get(point),
      reason: results[index + 1]?.reason ?? results[index + 1]?.violations[0],
    }))
    .sort((one, other) => names.indexOf(toName(one.point)) - names.indexOf(toName(other.point)))
  return {
    url: service.url,
    points,
    profile: toProfile(points.filter(({ ours: own, theirs }) => theirs !== undefined && theirs !== own)),
    isRestored: results.slice(pack.length).every(({ verdict }) => verdict === 'passed'),
  }
}

/** A probe as a case, so that it runs like one: with time limits, after which the stock is restored. */
function toCase(
  point: string,
  {
    probe: { operation, find },
    found,
    memory,
  }: { probe: Probe; found: Map<string, string | number>; memory: ProbeMemory },
): ConformanceCase {
  return {
    operation,
    title: point,
    source: 'decision',
    expected: 200,
    findObstacle({ mayWrite, pet, petlessReason }) {
      if (operation === 'listInventory') return undefined
      if (!mayWrite) return 'updates are only sent with --write'
      return pet === undefined ? petlessReason : undefined
    },
    async run(session) {
      try {
        found.set(point, await find(createProbeSession(session, memory)))
        // Restoring starts from the last list.
        if (operation === 'updateInventory') session.stock.compare(await session.list())
        return { status: 200, deviation: undefined, faults: [] }
      } catch (error) {
        if (!(error instanceof Undecided)) throw error
        return { status: 200, deviation: error.message, faults: [] }
      }
    },
  }
}

/** `codes` for `codes.401`. */
function toName(point: ProfilePoint): string {
  return point.replace(/\..*/, '')
}

function readPoint(rules: object, point: ProfilePoint): string | number {
  const [name = '', part] = point.split('.')
  const value = Reflect.get(rules, name) as unknown
  return part === undefined ? (value as string | number) : (Reflect.get(value as object, part) as string | number)
}

function toProfile(points: readonly ProbedPoint[]): Profile {
  const profile: Record<string, unknown> = {}
  for (const { point, theirs } of points) {
    const [name = '', part] = point.split('.')
    profile[name] = part === undefined ? theirs : { ...(profile[name] as object | undefined), [part]: theirs }
  }
  return profile
}
