import { styleText } from 'node:util'
import { escapeControls } from '../http/quote.ts'
import type { Io } from './io.ts'

type Style = 'red' | 'green' | 'yellow' | 'cyan' | 'dim' | 'bold'

/** Colours a text, or returns it unchanged. */
export type Paint = (style: Style, text: string) => string

/** Creates the colours of a stream: on for terminals, unless the environment says otherwise. */
export function createPaint({ env, isTerminal }: Pick<Io, 'env' | 'isTerminal'>, stream: 'out' | 'err'): Paint {
  if (!isColoured(env, isTerminal[stream])) return (_, text) => text
  return (style, text) => styleText(style, text, { validateStream: false })
}

/** Writes what went wrong to standard error. */
export function writeProblem(io: Io, message: string, style: Style = 'red'): void {
  const lines = message.split('\n').map(escapeControls)
  io.err(`${createPaint(io, 'err')(style, 'petstore-mock:')} ${lines.join('\n')}`)
}

/** As in Node, FORCE_COLOR takes precedence over NO_COLOR (https://nodejs.org/api/tty.html#writestreamgetcolordepthenv). */
function isColoured({ FORCE_COLOR, NO_COLOR, TERM }: Io['env'], isTerminal: boolean): boolean {
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false'
  // https://no-color.org: an empty value does not count.
  return isTerminal && (NO_COLOR ?? '') === '' && TERM !== 'dumb'
}
