import { expect } from 'vitest'
import type { RestoredStock } from '../../src/check/restore.ts'
import { runCheck } from '../../src/check/run-check.ts'
import { type Pet, startService, type Vary } from './services/plain-service.ts'

/** Checks a service, and compares the pets that the report lists at its end with those that the service really changed. */
export async function expectWholeReport(vary: Vary): Promise<void> {
  await using service = await startService(vary)
  const before = service.pets().map(toText)
  let restored: RestoredStock | undefined
  const { url, apiKey } = service
  const onRestored = (stock: RestoredStock): unknown => (restored = stock)
  const { report } = await runCheck({ url, apiKey, write: true, lateMs: 300, limitMs: 600_000, onRestored })
  const { left = [], others = [] } = restored ?? {}
  const listed = [...left, ...others].flatMap(({ was, is }) => [
    ...(was ? [`- ${toText(was)}`] : []),
    ...(is ? [`+ ${toText(is)}`] : []),
  ])
  const after = service.pets().map(toText)
  const changed = [
    ...without(before, after).map((pet) => `- ${pet}`),
    ...without(after, before).map((pet) => `+ ${pet}`),
  ]
  expect(listed.sort()).toEqual(changed.sort())
  // Another client may have changed one pet, and two are doubtful.
  if (changed.length > 2) expect(report.verdict).not.toBe('kept')
}

function toText({ petId, quantity, status }: Record<keyof Pet, unknown>): string {
  return `${petId} ${quantity} ${status}`
}

/** The texts without those of another list, each of which takes away one. */
function without(texts: readonly string[], others: readonly string[]): readonly string[] {
  const left = [...others]
  return texts.filter((text) => !left.includes(text) || left.splice(left.indexOf(text), 1).length === 0)
}
