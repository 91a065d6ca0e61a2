import type { ProbedPoint, ProbedProfile } from '../../check/index.ts'
import { hideInAddress } from '../../http/hide-credentials.ts'
import { cut, escapeControls } from '../../http/quote.ts'
import { openOutput } from '../files.ts'
import { INTERRUPTED, type Io } from '../io.ts'
import type { Flags } from '../options.ts'
import { watchCheck } from './watch-check.ts'

interface ProfileRun {
  readonly flags: Flags<'check'>
  readonly io: Io
  readonly path: string
}

/** Finds out how a service decides, prints it, and writes the points that it decides otherwise than the mock. */
export async function writeProfile(
  url: string,
  { flags: { apiKey, write, quiet, pet, reporter, force }, io, path }: ProfileRun,
): Promise<number> {
  const hint = 'To compare the service with this profile, add --diff.'
  const writeFile = await openOutput({ output: path, force, flag: '--profile', hint }, io)
  const { probeProfile } = await import('../../check/index.ts')
  const probed = await watchCheck({
    io,
    write,
    quiet,
    line: `Probing ${hideInAddress(url)}…`,
    start: (hooks) => probeProfile({ url, apiKey, write, petIds: pet, ...hooks }),
  })
  if (probed === undefined) return INTERRUPTED
  const day = new Date().toISOString().slice(0, 10)
  const description = `${hideInAddress(probed.url)}, seen on ${day}`
  io.out(reporter === 'json' ? JSON.stringify(probed, null, 2) : toText(probed))
  // Last, so that the points are printed even if the file can no longer be written.
  await writeFile(JSON.stringify({ description, ...probed.profile }, null, 2))
  return probed.isRestored ? 0 : 1
}

function toText({ points, url }: ProbedProfile): string {
  const known = points.filter(({ theirs }) => theirs !== undefined)
  const unknown = points.filter(({ theirs }) => theirs === undefined)
  const different = known.filter(({ ours, theirs }) => ours !== theirs)
  const rows = [
    ['point', 'the mock', 'the service'],
    ...known.map(({ point, ours, theirs }) => [point, ...[ours, theirs].map(toCell)]),
  ]
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return [
    ...rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')),
    '',
    ...(unknown.length === 0 ? [] : [...unknown.map(toUnknownLine), '']),
    `${different.length} of ${points.length} points differ, ${unknown.length} are unknown: ${url}`,
  ].join('\n')
}

function toCell(value: string | number | undefined): string {
  return escapeControls(cut(String(value)))
}

function toUnknownLine({ point, reason }: ProbedPoint): string {
  return `unknown: ${point}: ${reason}.`
}
