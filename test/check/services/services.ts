import { BROKEN_IDS } from '../strangers/broken-ids.ts'
import { BROKEN_KEYS as BROKEN_KEY_RULES } from '../strangers/broken-keys.ts'
import { BROKEN_QUANTITIES } from '../strangers/broken-quantities.ts'
import { BROKEN_SHAPES } from '../strangers/broken-shapes.ts'
import { BROKEN_STATE } from '../strangers/broken-state.ts'
import { BROKEN_UPDATES } from '../strangers/broken-updates.ts'
import { SOUND_STRANGERS } from '../strangers/sound-strangers.ts'
import { type Stranger, startStranger } from '../strangers/stranger-service.ts'
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
  /** False where the old quantity may not come back, or not stay, when its update is repeated for some seconds. */
  readonly restorable: boolean
  readonly responseLimitMs?: number | undefined
  readonly start: () => Promise<Omit<Awaited<ReturnType<typeof startService>>, 'stock'> & { stock: () => unknown }>
}

export const SERVICES: readonly ServiceUnderTest[] = [
  ...toServices(BROKEN_OVER_TIME, { kind: 'broken' }),
  ...toServices(BROKEN_STOCK, { kind: 'broken' }),
  ...toServices(BROKEN_REFUSALS, { kind: 'broken' }),
  ...toServices(BROKEN_KEYS, { kind: 'broken' }),
  ...toServices(BROKEN_ANSWERS, { kind: 'broken' }),
  ...toServices(SOUND, { kind: 'sound' }),
  ...[BROKEN_KEY_RULES, BROKEN_QUANTITIES, BROKEN_IDS, BROKEN_UPDATES, BROKEN_STATE, BROKEN_SHAPES].flatMap((each) =>
    fromStrangers(each, 'broken'),
  ),
  ...fromStrangers(SOUND_STRANGERS, 'sound'),
]

function fromStrangers(strangers: readonly Stranger[], kind: ServiceUnderTest['kind']): readonly ServiceUnderTest[] {
  return strangers.map((stranger) => ({
    name: stranger.name,
    kind,
    defect: stranger.because,
    restorable: stranger.irreparable === undefined,
    responseLimitMs: stranger.responseLimitMs,
    async start() {
      const service = await startStranger(stranger)
      const { url, key: apiKey, stored: stock } = service
      return { url, apiKey, stock, close: async () => service[Symbol.asyncDispose]() }
    },
  }))
}

function toServices(
  variations: Readonly<Record<string, Variation>>,
  about: Pick<ServiceUnderTest, 'kind'>,
): readonly ServiceUnderTest[] {
  return Object.entries(variations).map(([name, { sentence, restorable, vary }]) => ({
    name,
    ...about,
    defect: sentence,
    restorable,
    start: () => startService(vary),
  }))
}
