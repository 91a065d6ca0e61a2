import { BROKEN_ANSWERS, BROKEN_KEYS } from './broken-answers.ts'
import { BROKEN_OVER_TIME } from './broken-over-time.ts'
import { BROKEN_REFUSALS, BROKEN_STOCK } from './broken-stock.ts'
import { startService, type Variation } from './plain-service.ts'
import { SOUND } from './sound.ts'

export interface ServiceUnderTest {
  readonly name: string
  readonly kind: 'broken' | 'sound'
  /** One sentence: what is wrong, or what is special about a sound service. */
  readonly defect: string
  readonly aboutTime?: boolean
  /** False where the old quantity may not come back, or not stay, when its update is repeated for some seconds. */
  readonly restorable: boolean
  readonly start: () => ReturnType<typeof startService>
}

export const SERVICES: readonly ServiceUnderTest[] = [
  ...toServices(BROKEN_OVER_TIME, { kind: 'broken', aboutTime: true }),
  ...toServices(BROKEN_STOCK, { kind: 'broken' }),
  ...toServices(BROKEN_REFUSALS, { kind: 'broken' }),
  ...toServices(BROKEN_KEYS, { kind: 'broken' }),
  ...toServices(BROKEN_ANSWERS, { kind: 'broken' }),
  ...toServices(SOUND, { kind: 'sound' }),
]

function toServices(
  variations: Readonly<Record<string, Variation>>,
  about: Pick<ServiceUnderTest, 'kind' | 'aboutTime'>,
): readonly ServiceUnderTest[] {
  return Object.entries(variations).map(([name, { sentence, restorable, vary }]) => ({
    name,
    ...about,
    defect: sentence,
    restorable,
    start: () => startService(vary),
  }))
}
