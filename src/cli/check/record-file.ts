import { stat } from 'node:fs/promises'
import type { CheckReport, ObservedRule } from '../../check/index.ts'
import { loadFidelity } from '../data-file.ts'
import { assertWritable, writeText } from '../files.ts'
import { type Io, UsageError } from '../io.ts'
import { count } from '../terminal.ts'

/**
 * Reads the file before the check, so that a mistake is found early.
 * @returns what adds a report about a running service, and warns of old observations.
 * @throws {UsageError}
 */
export async function openRecordFile(
  path: string,
  { maxAge, hasService, io }: { maxAge: string | undefined; hasService: boolean; io: Io },
): Promise<(report: CheckReport) => Promise<void>> {
  const name = `--record: ${path}`
  if (hasService) await assertWritable(path, name)
  const stats = await stat(path).catch(() => undefined)
  if (stats?.isFile() === false) throw new UsageError(`${name} must be a regular file.`)
  // mktemp makes an empty file.
  const isEmpty = stats === undefined || stats.size === 0
  const before = isEmpty && hasService ? undefined : await loadFidelity(path)
  return async (report) => {
    const { findOldObservations, recordFidelity } = await import('../../check/index.ts')
    const date = new Date().toISOString().slice(0, 10)
    const fidelity = hasService ? recordFidelity({ report, before, date }) : before
    if (hasService && fidelity !== undefined) await writeText(path, { name, text: JSON.stringify(fidelity, null, 2) })
    if (maxAge === undefined || fidelity === undefined) return
    const days = Number.parseInt(maxAge, 10)
    const old = findOldObservations(fidelity, { days, date })
    if (old.length > 0) io.err([toHeading(old.length, days), ...old.map(toLine)].join('\n'))
  }
}

function toHeading(old: number, maxAge: number): string {
  const are = old === 1 ? 'is' : 'are'
  return `warning: ${count(old, 'observation')} ${are} older than ${count(maxAge, 'day')}. Renew with check URL --record FILE:`
}

function toLine({ operation, rule, seen }: ObservedRule): string {
  return `  ${operation}: ${rule}: seen${seen.verdict === 'same' ? '' : ' otherwise'} at ${seen.url} on ${seen.date}`
}
