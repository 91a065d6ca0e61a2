import * as v from 'valibot'
import { isLoopback } from '../../http/is-loopback.ts'
import { boolean, callback, must, mustSecretly, object, readAs, type Schema, string, whole } from '../../http/schema.ts'
import type { RequestLogEntry } from './request-log.ts'

/** Certificate and key (PEM). */
export interface Tls {
  readonly cert: string | Buffer
  readonly key: string | Buffer
}

/** How long a closing server waits for responses in flight: milliseconds, or a string such as `'5s'` or `'500ms'`. */
export type Grace = number | string

export const DEFAULT_GRACE: Grace = '5s'

const LONGEST_MS = 24 * 60 * 60 * 1000
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 }

/** A time in milliseconds. A string needs a unit, unless it is `'0'`, because `'5'` would be ambiguous. @internal */
export const GRACE: Schema<number> = readAs(readGrace, "a time up to a day, as '5s', '500ms' or 0")

function readGrace(value: unknown): number | undefined {
  const ms = typeof value === 'string' ? parseText(value) : value
  return typeof ms === 'number' && ms >= 0 && ms <= LONGEST_MS ? ms : undefined
}

function parseText(text: string): number {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(text.trim()) ?? []
  return text.trim() === '0' ? 0 : Number(number) * (UNITS[unit] ?? 1)
}

/** Options of `serve`. */
export interface ServeOptions {
  /**
   * The port; 0 picks a free one.
   * @default 0
   */
  readonly port?: number
  /** @default '127.0.0.1' */
  readonly host?: string
  /**
   * Whether to serve the control API under `/_mock`, and with it the console. Off loopback this requires `controlToken`.
   * @default true
   */
  readonly control?: boolean
  /** The token that control requests must send as `X-Mock-Control-Token`. Without it, none is required. */
  readonly controlToken?: string
  /** Certificate and key: the content of PEM files. The key must not be encrypted. Serves over https. */
  readonly tls?: Tls
  /**
   * How long `close()` waits for responses in flight before it cuts them off: milliseconds, or a string such as `'500ms'`.
   * @default '5s'
   */
  readonly grace?: Grace
  /** Called with every request after it is answered. */
  readonly log?: (entry: RequestLogEntry) => void
}

export type ParsedServeOptions = Omit<ServeOptions, 'grace'> &
  Required<Pick<ServeOptions, 'port' | 'host' | 'control'>> & { readonly grace: number }

const pem = v.custom<string | Buffer>(
  (value) => (typeof value === 'string' || value instanceof Uint8Array) && value.length > 0,
  mustSecretly('a PEM text or a Buffer'),
)
/** What can be sent in a header as it is: a line break at the end of a file would make every request a 401. @internal */
export const SECRET: Schema<string> = v.pipe(
  v.string(mustSecretly('a string')),
  v.regex(/^(?! )[ -~]+(?<! )$/, 'must be printable ASCII without line breaks or outer spaces'),
)

const HOST = v.pipe(string, v.regex(/^[^:/]+$|^[^:/]*:[^:/]*:[^/]*$/, must('a name or an address, without a port')))

/** @internal */
export const SERVE_OPTIONS: Schema<ParsedServeOptions> = object<ParsedServeOptions>({
  port: v.optional(whole(0, 65_535), 0),
  host: v.optional(HOST, '127.0.0.1'),
  control: v.optional(boolean, true),
  controlToken: v.optional(SECRET),
  tls: v.optional(object<Tls>({ cert: pem, key: pem })),
  grace: v.optional(GRACE, DEFAULT_GRACE),
  log: v.optional(callback<(entry: RequestLogEntry) => void>()),
})

/** Whether the control API is served: off loopback it needs a token. */
export function isControlOn({ host, control, controlToken }: ParsedServeOptions): boolean {
  return control && (controlToken !== undefined || isLoopback(host))
}
