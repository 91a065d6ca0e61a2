import { DEFAULT_API_KEY, DEFAULT_SANDBOX } from '../../auth/authenticator.ts'
import type { Violation } from '../../check/serve-checked.ts'
import { HIDDEN } from '../../http/hide-credentials.ts'
import { escapeControls } from '../../http/quote.ts'
import type { Operation } from '../../operations/operations.ts'
import type { RequestLogEntry } from '../../runtimes/server.ts'
import type { StateSummary } from '../../sandbox/state-document.ts'
import type { Io } from '../command.ts'
import type { ServerFlags } from '../options.ts'
import { count, createPaint, type Paint } from '../terminal.ts'

/** What a running server reports. `--log json` writes each event as it is. */
export type ServeEvent =
  | Listening
  | LoggedRequest
  | FirstRequest
  | ({ readonly event: 'violation' } & Violation)
  | ({ readonly event: 'saved'; readonly file: string } & StateSummary)
  | { readonly event: 'reloaded'; readonly fixture: string; readonly pets: number }
  | { readonly event: 'reloaded'; readonly file: string; readonly stubs: number }
  /** A changed file was rejected, and the mock keeps what it has. */
  | { readonly event: 'refused'; readonly message: string; readonly kept: 'state' | 'stubs' }

export interface Listening {
  readonly event: 'listening'
  readonly url: string
  readonly port: number
  /** The URL of the console; `undefined` if it is off. */
  readonly console: string | undefined
  /** Why the console is off; `undefined` if it is on. */
  readonly noConsole: string | undefined
  readonly fixture: string
  /** The number of pets in the fixture. A state file may hold others. */
  readonly fixturePets: number
  readonly pets: number
  readonly state: LoadedState | undefined
  /** The other settings that differ from their defaults: flag and value. */
  readonly settings: Readonly<Record<string, string | undefined>>
  /** Whether the key is one that somebody chose. Others may read the log, so it never shows that. */
  readonly isOwnKey: boolean
  readonly version: string
}

/** What was loaded from the file of `--state`. Without a summary if there is no file yet. */
interface LoadedState extends Partial<StateSummary> {
  readonly file: string
  /** Whether the default sandbox has a different seed than `--fixture`. */
  readonly isOtherFixture: boolean
}

type LoggedRequest = RequestLogEntry & { readonly event: 'request'; readonly hint?: string | undefined }

type Unstable = Exclude<Operation['stability'], 'stable'>

/** The first request to an operation that the specification marks as experimental or deprecated. */
type FirstRequest = { readonly event: 'stability'; readonly operation: string; readonly stability: Unstable } & Pick<
  Operation,
  'method' | 'path'
>

export type ServeLog = (event: ServeEvent) => void

export type LogIo = Pick<Io, 'out' | 'err' | 'env' | 'isTerminal'>

export function createServeLog(format: Exclude<ServerFlags['log'], 'silent'>, io: LogIo): ServeLog {
  return format === 'pretty' ? createPrettyLog(io) : (event) => io.out(JSON.stringify(event))
}

const STABILITY_NOTES: Readonly<Record<Unstable, string>> = {
  experimental: 'its requests may change in a later version of the service.',
  deprecated: 'the service will remove it.',
}

function createPrettyLog(io: LogIo): ServeLog {
  const paint = createPaint(io, 'out')
  const paintError = createPaint(io, 'err')
  return (entry) => {
    switch (entry.event) {
      case 'listening':
        for (const line of listHeadings(entry, paint)) io.out(line)
        return
      case 'request':
        return io.out(describeRequest(entry, paint))
      case 'stability': {
        const { operation, method, path, stability } = entry
        return io.out(`${operation} (${method} ${path}) is ${stability}: ${STABILITY_NOTES[stability]}`)
      }
      case 'violation': {
        const { method, path, status, violations } = entry
        for (const violation of violations)
          io.err(paintError('red', `${method} ${path} ${status}: ${escapeControls(violation)}`))
        return
      }
      case 'saved':
        return io.out(`Saved ${entry.file}: ${describeSummary(entry)}`)
      case 'reloaded': {
        if ('stubs' in entry) return io.out(`Reloaded ${entry.file}: ${count(entry.stubs, 'stub')}`)
        return io.out(`Reloaded ${entry.fixture}: ${count(entry.pets, 'pet')}; all sandboxes were reset`)
      }
      case 'refused':
        return io.err(`${paintError('red', entry.message)}\nUnchanged: the ${entry.kept}.`)
    }
  }
}

function listHeadings({ url, console, state, ...more }: Listening, paint: Paint): readonly string[] {
  const { noConsole, fixture, fixturePets, settings, isOwnKey, version } = more
  const lines: readonly (readonly [name: string, text: string | undefined])[] = [
    ['fixture', `${fixture}, ${count(fixturePets, 'pet')}`],
    ['state', state && `${state.file}, ${describeLoaded(state)}`],
    ['', state?.isOtherFixture ? `it overrides the fixture ${fixture} until you reset a sandbox` : undefined],
    ...Object.entries(settings),
    ['key', isOwnKey ? HIDDEN : DEFAULT_API_KEY],
    ['try', `curl -H 'authorization: Bearer ${isOwnKey ? 'YOUR_KEY' : DEFAULT_API_KEY}' ${url}/inventory`],
    ['control', console && paint('cyan', new URL('health', console).href)],
    ['console', console === undefined ? `off: ${noConsole}` : paint('cyan', console)],
  ]
  return [
    `petstore-mock ${version} is listening on ${paint('cyan', url)}`,
    ...lines
      .filter(([, text]) => text !== undefined)
      .map(([name, text]) => `  ${paint('dim', name.padEnd(8))} ${text}`),
  ]
}

function describeLoaded({ sandboxes, changes }: LoadedState): string {
  if (sandboxes === undefined || changes === undefined) return 'a new file'
  return `loaded: ${describeSummary({ sandboxes, changes })}`
}

function describeSummary({ sandboxes, changes }: StateSummary): string {
  return `${count(sandboxes, 'sandbox', 'sandboxes')}, ${count(changes, 'change')}`
}

/** With why it was refused, by which fault, in which sandbox. */
function describeRequest(entry: LoggedRequest, paint: Paint): string {
  const { time, method, path, status, duration, sandbox, error, hint, fault, by } = entry
  const colour = status === undefined || status >= 500 ? 'red' : status < 400 ? 'green' : 'yellow'
  const kind = fault?.error ?? (fault?.status === undefined ? 'delay' : undefined)
  const notes = [
    sandbox === undefined || sandbox === DEFAULT_SANDBOX ? undefined : `[${sandbox}]`,
    by && `by ${by}`,
    fault && `by fault ${fault.id}${kind === undefined ? '' : ` (${kind})`}`,
    error === undefined || isResponse(fault) ? undefined : `${error.message}${hint === undefined ? '' : `. ${hint}`}`,
  ]
  const clock = time.toISOString().slice(11, 19)
  const words = [clock, method, path, paint(colour, String(status ?? 'closed')), `${duration.toFixed(1)} ms`, ...notes]
  return words.filter((word) => word !== undefined).join(' ')
}

/** Whether a fault made the response. One that only delays leaves it to the service. */
function isResponse(fault: RequestLogEntry['fault']): boolean {
  return fault?.status !== undefined || fault?.error !== undefined
}

const KEY_PROBLEMS = {
  missing: 'The request has no Authorization header. ',
  scheme: 'Its Authorization header does not begin with "Bearer ". ',
} as const

/**
 * What to do about a rejected key; `undefined` if that is not why the request was rejected. Never shows a key that
 * somebody chose, nor the name of a sandbox, which is part of a rejected key.
 * @param hasDemoKey Whether `demo-key` is a key of the mock.
 */
export function explainRejection(entry: RequestLogEntry, hasDemoKey: boolean): string | undefined {
  const { sandbox, status, error, keyProblem, fault, by } = entry
  // A stub's 401 is about the key, too.
  const isOfService = !isResponse(fault) && (by === undefined || by === 'stub')
  // A profile may rename the code.
  if (sandbox === undefined || status !== 401 || error === undefined || !isOfService) return undefined
  if (keyProblem === 'sandbox')
    return 'The name of the sandbox, after ~ or in baggage, is invalid: use 1 to 64 letters, digits, dots, underscores and hyphens'
  const advice = hasDemoKey ? `Send authorization: Bearer ${DEFAULT_API_KEY}` : 'Send a key of --api-key'
  return (keyProblem === undefined ? '' : KEY_PROBLEMS[keyProblem]) + advice
}
