import { BROKEN_ANSWERS } from './broken-answers.ts'
import { BROKEN_KEYS } from './broken-keys.ts'
import { BROKEN_OVER_TIME } from './broken-over-time.ts'
import { BROKEN_REFUSALS } from './broken-refusals.ts'
import { BROKEN_STOCK } from './broken-stock.ts'
import type { Variation } from './plain-service.ts'
import { SOUND } from './sound.ts'

export interface ServiceUnderTest extends Variation {
  readonly name: string
  readonly kind: 'broken' | 'sound'
}

export const BROKEN = { ...BROKEN_OVER_TIME, ...BROKEN_STOCK, ...BROKEN_REFUSALS, ...BROKEN_KEYS, ...BROKEN_ANSWERS }

export const SERVICES: readonly ServiceUnderTest[] = [...toServices(BROKEN, 'broken'), ...toServices(SOUND, 'sound')]

function toServices(
  variations: Readonly<Record<string, Variation>>,
  kind: ServiceUnderTest['kind'],
): readonly ServiceUnderTest[] {
  return Object.entries(variations).map(([name, variation]) => ({ name, kind, ...variation }))
}
