import { styleText } from 'node:util'
import { escapeControls } from '../http/quote.ts'
import type { Io } from './command.ts'

type Style = 'red' | 'green' | 'yellow' | 'cyan' | 'dim' | 'bold'

export type Paint = (style: Style, text: string) => string

/** Creates the colours of a stream: on for terminals, unless the environment says otherwise. */
export function createPaint({ env, isTerminal }: Pick<Io, 'env' | 'isTerminal'>, stream: 'out' | 'err'): Paint {
  if (!isColoured(env, isTerminal[stream])) return (_, text) => text
  return (style, text) => styleText(style, text, { validateStream: false })
}

/** As in Node, FORCE_COLOR takes precedence over NO_COLOR (https://nodejs.org/api/tty.html#writestreamgetcolordepthenv). */
function isColoured({ FORCE_COLOR, NO_COLOR, TERM }: Io['env'], isTerminal: boolean): boolean {
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false'
  // https://no-color.org: an empty value does not count.
  return isTerminal && (NO_COLOR ?? '') === '' && TERM !== 'dumb'
}

export function writeProblem(io: Io, message: string, style: Style = 'red'): void {
  const text = message.split('\n').map(escapeControls).join('\n')
  io.err(`${createPaint(io, 'err')(style, 'petstore-mock:')} ${text}`)
}

export function count(number: number, noun: string, plural: string = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`
}

type Work<Result> = (tell: (line: string) => void) => Result | Promise<Result>

/** Does work. If it takes longer than a second, a terminal shows the line, and once a second the line that it tells. */
export async function withProgress<Result>(
  line: string,
  { io, work }: { io: Pick<Io, 'err' | 'isTerminal'>; work: Work<Result> },
): Promise<Result> {
  let next: string | undefined = line
  const print = (): void => {
    if (next !== undefined) io.err(next)
    next = undefined
  }
  const timer = io.isTerminal.err ? setInterval(print, 1000) : undefined
  try {
    return await work((told) => (next = told))
  } finally {
    clearInterval(timer)
  }
}
