import { stat } from 'node:fs/promises'
import type { CheckReport, ObservedRule } from '../../check/index.ts'
import { loadFidelity } from '../data-file.ts'
import { assertWritable, writeText } from '../files.ts'
import { type Io, UsageError } from '../io.ts'
import { count } from '../terminal.ts'

/** The file of `--record`. */
interface FidelityFile {
  /** Adds what a report shows, if it is about a running service, and warns of old observations. */
  update(report: CheckReport): Promise<void>
}

interface FidelityFlags {
  readonly path: string
  /** In days. */
  readonly maxAge: number | undefined
  /** Whether a running service is checked, so that the file may be made. */
  readonly hasService: boolean
  readonly io: Io
}

/**
 * Reads the file before the check, so that a mistake is found early.
 * @throws {UsageError}
 */
export async function openFidelityFile({ path, maxAge, hasService, io }: FidelityFlags): Promise<FidelityFile> {
  const name = `--record: ${path}`
  if (hasService) await assertWritable(path, name)
  const stats = await stat(path).catch(() => undefined)
  if (stats?.isFile() === false) throw new UsageError(`${name} must be a regular file.`)
  // mktemp makes an empty file.
  const isEmpty = stats === undefined || stats.size === 0
  const before = isEmpty && hasService ? undefined : await loadFidelity(path)
  return {
    async update(report) {
      const { findOldObservations, recordFidelity } = await import('../../check/index.ts')
      const date = new Date().toISOString().slice(0, 10)
      const fidelity = hasService ? recordFidelity({ report, before, date }) : before
      if (hasService && fidelity !== undefined) await writeText(path, { name, text: JSON.stringify(fidelity, null, 2) })
      if (maxAge === undefined || fidelity === undefined) return
      const old = findOldObservations(fidelity, { days: maxAge, date })
      if (old.length > 0) io.err([toHeading(old.length, maxAge), ...old.map(toLine)].join('\n'))
    },
  }
}

function toHeading(old: number, maxAge: number): string {
  const are = old === 1 ? 'is' : 'are'
  return `warning: ${count(old, 'observation')} ${are} older than ${count(maxAge, 'day')}. Renew with check URL --record FILE:`
}

function toLine({ operation, rule, seen }: ObservedRule): string {
  return `  ${operation}: ${rule}: seen${seen.verdict === 'same' ? '' : ' otherwise'} at ${seen.url} on ${seen.date}`
}
