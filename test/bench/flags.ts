import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const PARTS = [
  'server',
  'start',
  'import',
  'fetch',
  'intercept',
  'scale',
  'sandboxes',
  'size',
  'state',
  'steady',
  'events',
  'replicas',
] as const
export type Part = (typeof PARTS)[number]

/** What the bench was told. */
export interface BenchFlags {
  readonly parts: readonly Part[]
  /** Fewer rounds: a look, no figure to quote. */
  readonly quick: boolean
  /** The script of another build of the program (`dist/bin.js`), to compare this one with. */
  readonly baseline?: string
  /** Where the figures are written. */
  readonly json: string
}

/** @throws {Error} for a flag or a part that it does not know. */
export function parseFlags(argv: readonly string[]): BenchFlags {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      only: { type: 'string', multiple: true, default: [...PARTS] },
      baseline: { type: 'string' },
      quick: { type: 'boolean', default: false },
      json: { type: 'string', default: fileURLToPath(new URL('results.json', import.meta.url)) },
    },
  })
  const parts = values.only.flatMap((list) => list.split(','))
  const unknown = parts.find((part) => !isPart(part))
  if (unknown !== undefined) throw new Error(`There is no part ${unknown}. The parts are: ${PARTS.join(', ')}.`)
  const { quick, json, baseline } = values
  return {
    parts: PARTS.filter((part) => parts.includes(part)),
    quick,
    json,
    ...(baseline !== undefined && { baseline: resolve(baseline) }),
  }
}

function isPart(text: string): text is Part {
  return (PARTS as readonly string[]).includes(text)
}
