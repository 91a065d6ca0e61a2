import { parseArgs } from 'node:util'

export const PARTS = [
  'server',
  'start',
  'import',
  'fetch',
  'intercept',
  'scale',
  'sandboxes',
  'size',
  'steady',
  'replicas',
] as const
export type Part = (typeof PARTS)[number]

/** What the bench was told. */
export interface BenchFlags {
  readonly parts: readonly Part[]
  /** Fewer rounds: a look, no figure to quote. */
  readonly quick: boolean
  /** Where the figures are written. */
  readonly json: string
}

/** @throws {Error} for a flag or a part that it does not know. */
export function parseFlags(argv: readonly string[]): BenchFlags {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      only: { type: 'string', multiple: true, default: [...PARTS] },
      quick: { type: 'boolean', default: false },
      json: { type: 'string', default: new URL('results.json', import.meta.url).pathname },
    },
  })
  const parts = values.only.flatMap((list) => list.split(','))
  const unknown = parts.find((part) => !isPart(part))
  if (unknown !== undefined) throw new Error(`There is no part ${unknown}. The parts are: ${PARTS.join(', ')}.`)
  return { parts: PARTS.filter((part) => parts.includes(part)), quick: values.quick, json: values.json }
}

function isPart(text: string): text is Part {
  return (PARTS as readonly string[]).includes(text)
}
