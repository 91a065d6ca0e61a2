import { MockError } from '../../http/mock-error.ts'
import type { Profile } from '../../inventory/profile.ts'
import { serve } from '../../runtimes/server.ts'
import { createMock } from '../../service/create-mock.ts'
import { type Fixture, FixtureError } from '../../store/fixture.ts'
import { type CheckReport, createReport } from '../check-report.ts'
import { type CheckServiceOptions, checkService } from '../check-service.ts'
import type { CheckedService } from '../conformance/ask.ts'
import { type ListedPet, parsePets } from '../conformance/listed-pet.ts'
import { surveyService } from '../conformance/survey.ts'
import { CONFORMANCE_PACK } from '../conformance-pack.ts'
import { LENIENT_JUDGE } from '../judge.ts'
import { openService, type ServiceOptions } from '../open-service.ts'
import { compareCase } from './compare-case.ts'

/** Options of `runDiff`. */
interface DiffOptions extends ServiceOptions, Pick<CheckServiceOptions, 'onCase' | 'onRestored'> {
  /** Whether to send updates. */
  readonly write: boolean
  /**
   * The ids of pets that may be updated.
   * @default any pet
   */
  readonly petIds?: readonly string[] | undefined
  /**
   * How the mock decides where the specification is silent.
   * @default its own decisions
   */
  readonly profile?: Profile | undefined
}

/** No case may send this key by chance: a key that is cut short could be `demo-key`. */
const MOCK_KEY = 'petstore-check-mock-key'

/**
 * Sends the requests of all cases to a service and to a mock with the same stock, and compares the responses. A case
 * with a difference fails. It needs no Prism.
 * @throws {MockError} `INVALID_OPTION` for an invalid URL, profile or pet; `CHECK_FAILED` if the service cannot be
 * reached, rejects the key, has a stock that the mock cannot hold, or takes too long.
 * @example
 * const { failed } = await runDiff({ url: 'http://127.0.0.1:4100', write: true })
 */
export async function runDiff(options: DiffOptions): Promise<CheckReport> {
  return openService(options, (service) => compare(service, options))
}

async function compare(
  service: CheckedService,
  { write: mayWrite, petIds, profile = {}, onCase, onRestored }: DiffOptions,
): Promise<CheckReport> {
  const start = performance.now()
  const survey = await surveyService(service, petIds)
  const mock = createMock({ profile, apiKeys: [MOCK_KEY] })
  const load = (pets: readonly ListedPet[]): void => mock.load(toFixture(pets))
  try {
    load(survey.pets)
  } catch (cause) {
    if (!(cause instanceof FixtureError)) throw cause
    const reason = cause.problems[0]
    throw new MockError(
      'CHECK_FAILED',
      `Failed to compare ${service.url} with the mock, which cannot hold its stock: ${reason}`,
      { cause },
    )
  }
  const server = await serve(mock, { control: false })
  const target = { url: `${server.url}/v1`, apiKey: MOCK_KEY, judge: LENIENT_JUDGE }
  const pack = CONFORMANCE_PACK.map((each) =>
    compareCase(each, { target, load: (list) => load(parsePets(list) ?? []) }),
  )
  const cases = await checkService(
    { ...service, judge: LENIENT_JUDGE },
    // A difference fails whether or not the specification decides the case.
    { survey, isForeign: false, mayWrite, pack, onCase, onRestored },
  ).finally(() => server.close())
  return createReport({ url: service.url, durationMs: Math.round(performance.now() - start), cases })
}

function toFixture(pets: readonly ListedPet[]): Fixture {
  const inventory = pets.map(({ petId, quantity, status }) => ({ petId, quantity: Number(quantity), status }))
  return { inventory } as Fixture
}
