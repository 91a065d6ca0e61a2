import * as v from 'valibot'
import { DEFAULT_API_KEY } from '../auth/authenticator.ts'
import { BASE_URL, DEFAULT_BASE_URL } from '../http/base-url.ts'
import { oneOf, parseOr, readAs, type Schema, string } from '../http/schema.ts'
import { DEFAULT_GRACE, GRACE, SECRET } from '../runtimes/server/serve-options.ts'
import { DELAY } from '../sandbox/delay.ts'
import { DEFAULT_JOURNAL_SIZE } from '../sandbox/journal.ts'
import { PROXY_URL, SUNSET } from '../service/mock-options.ts'
import { MOST_PETS } from '../store/generate-fixture.ts'
import { UsageError } from './command.ts'

/** What a flag takes: nothing, one of a few words, one value, or several. */
interface FlagValue<Output> {
  readonly kind: 'switch' | 'choice' | 'one' | 'list'
  readonly schema: Schema<Output>
  readonly choices?: readonly string[]
  readonly separator?: string
}

export interface Option<Command extends string = string> {
  readonly name: string
  readonly alias?: readonly string[]
  /** @default any text */
  readonly value?: FlagValue<unknown>
  readonly help: string
  /** The commands that have the flag, each with its default there. */
  readonly of: Readonly<Partial<Record<Command, unknown>>>
  /** A flag that cannot be given beside this one. From sources of different rank, the stronger one wins. */
  readonly excludes?: string
  /** Not read from the environment, because it decides which file is written. */
  readonly isLineOnly?: true
}

/** Stands for the default of a flag that must be given. */
export const REQUIRED: unique symbol = Symbol('required')

function readBoolean(value: unknown): boolean | undefined {
  if (value === true || value === 'true' || value === '1') return true
  return value === false || value === 'false' || value === '0' ? false : undefined
}

export const onOff: FlagValue<boolean> = { kind: 'switch', schema: readAs(readBoolean, 'true or false') }

export function choice<const Word extends string>(choices: readonly Word[]): FlagValue<Word> {
  return { kind: 'choice', schema: oneOf(choices), choices }
}

export function whole(min: number, max: number): FlagValue<number> {
  const readWhole = (text: unknown): number | undefined => {
    const number = Number(text)
    // Turns -0 into 0.
    return /^-?\d+$/.test(String(text)) && number >= min && number <= max ? number + 0 : undefined
  }
  return { kind: 'one', schema: readAs(readWhole, `a whole number from ${min} to ${max}`) }
}

/** Any text, or one that a schema accepts. It stays a text, which the mock parses again. */
export function text(schema: Schema<unknown> = string): FlagValue<string> {
  const check = v.rawCheck<string>(({ dataset, addIssue }) => {
    const { issues = [] } = v.safeParse(schema, dataset.value, { abortPipeEarly: true })
    for (const { message } of issues) addIssue({ message })
  })
  return { kind: 'one', schema: v.pipe(string, check) }
}

/** A repeatable flag. One environment variable can hold several values: commas separate them, or line breaks. */
export const list: FlagValue<string[]> = { kind: 'list', schema: v.array(string), separator: ',' }
export const lines: FlagValue<string[]> = { ...list, separator: '\n' }

/** @param subject The source of the value, for the message: `--port`, `PETSTORE_MOCK_PORT` or `config.json: port`. */
export function parseFlag(option: Option, value: unknown, subject: string): unknown {
  const { kind, schema, separator = '' } = option.value ?? text()
  const refuse = (sentence: string): UsageError => new UsageError(sentence)
  if (kind === 'switch') return parseOr(schema, value, { subject, refuse })
  const texts = [value].flat().map((each) => {
    // A config file may contain numbers. The message does not repeat the value, which may hold a key.
    if (typeof each === 'string' || typeof each === 'number' || typeof each === 'bigint') return String(each)
    throw refuse(`${subject} must be a string or a number.`)
  })
  if (kind === 'list') return texts.flatMap((each) => each.split(separator))
  const [word = ''] = texts
  if (texts.length > 1) throw refuse(`${subject} is given ${texts.length} times. Pass it once.`)
  if (word === '') throw refuse(`${subject} needs a value.`)
  return parseOr(schema, word, { subject, refuse })
}

export type CamelCase<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name

export function toCamelCase(flag: string): string {
  return flag.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}

export type CommandName =
  | 'serve'
  | 'exec'
  | 'mutate'
  | 'check'
  | 'record'
  | 'init'
  | 'completion'
  | 'demo'
  | 'demo build'
  | 'fixture validate'
  | 'fixture generate'

/** The commands that run a server, with the default of a flag. */
function server<const Default>(standard: Default) {
  return { serve: standard, exec: standard }
}

function demos<const Default>(standard: Default) {
  return { demo: standard, 'demo build': standard }
}

const SERVER = server(undefined)
const SERVER_OFF = server(false)
const CHECK = { check: undefined }
const MUTATE = { mutate: undefined } as const
const MUTATE_OFF = { mutate: false } as const
const CHECK_OFF = { check: false } as const
const HOST = '127.0.0.1'

const SAFE_INTEGER = whole(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
const FIXTURE = { name: 'fixture', alias: ['f'] } as const
const KEY = { name: 'api-key', alias: ['k', 'key'] } as const
const TOKEN = text(SECRET)
const TIME = { kind: 'one', schema: GRACE } as const
const OUTPUT = { name: 'output', alias: ['o'] } as const
const PROFILE_HELP = 'file of decisions of a real service where the specification is silent'

/**
 * Every flag of every command. The parser, `--help`, shell completion, environment variables, the config file and its
 * schema, the types of the flags and `docs/reference/cli.md` come from it. A flag has several rows where its value or its
 * meaning depends on the command.
 */
export const OPTIONS = [
  {
    name: 'port',
    alias: ['p'],
    value: whole(0, 65_535),
    help: 'port to listen on; 0 picks a free port',
    of: { serve: 4100, exec: 0, demo: 4101 },
  },
  { name: 'host', help: 'address to listen on', of: { ...server(HOST), demo: HOST } },
  { ...FIXTURE, help: 'name of a shipped fixture, or path of a file', of: server('default'), excludes: 'pets' },
  { ...FIXTURE, value: list, help: 'shipped fixture, or file; repeatable', of: demos('default') },
  {
    name: 'pets',
    value: whole(0, MOST_PETS),
    help: 'generate this many pets instead of loading a fixture',
    of: { ...SERVER, 'fixture generate': REQUIRED },
    excludes: 'fixture',
  },
  {
    name: 'random-seed',
    value: SAFE_INTEGER,
    help: 'seed of generated pets, and of random delays and faults',
    of: { ...server(1), 'fixture generate': 1 },
  },
  { ...KEY, value: list, help: 'a valid API key; repeatable', of: server(DEFAULT_API_KEY), excludes: 'any-key' },
  { ...KEY, value: TOKEN, help: 'a valid key of the service', of: { check: DEFAULT_API_KEY, record: DEFAULT_API_KEY } },
  { ...KEY, help: 'the valid API key, which every visitor can see', of: demos(DEFAULT_API_KEY) },
  { name: 'any-key', value: onOff, help: 'accept any key that is not empty', of: SERVER_OFF, excludes: 'api-key' },
  {
    name: 'journal-size',
    value: whole(1, 1_000_000),
    help: 'how many requests the journal of a sandbox keeps',
    of: server(DEFAULT_JOURNAL_SIZE),
  },
  { name: 'quantity-min', value: SAFE_INTEGER, help: 'smallest quantity an update may set', of: SERVER },
  { name: 'quantity-max', value: SAFE_INTEGER, help: 'largest quantity an update may set', of: SERVER },
  { name: 'sunset', value: text(SUNSET), help: 'date of the Sunset header on deprecated operations', of: SERVER },
  { name: 'delay', value: text(DELAY), help: 'latency of every response in ms: 200 or 100-300', of: SERVER },
  { name: 'prefer', value: onOff, help: 'let a request choose its response: Prefer: code=404', of: SERVER_OFF },
  { name: 'check', value: onOff, help: 'validate every response against the specification with Prism', of: SERVER_OFF },
  { name: 'handlers', help: "module of msw handlers that take precedence over the mock's own", of: SERVER },
  { name: 'state', help: 'load the state from this file on startup, save it there on exit', of: SERVER },
  { name: 'watch', value: onOff, help: 'reload the files of --fixture and --stubs when they change', of: SERVER_OFF },
  { name: 'control', value: onOff, help: 'serve the control API under /_mock; or --no-control', of: server(true) },
  { name: 'control-token', value: TOKEN, help: 'token that control requests must send', of: SERVER },
  { name: 'tls-cert', help: 'certificate (PEM); serves over https', of: SERVER },
  { name: 'tls-key', help: 'private key of the certificate (PEM)', of: SERVER },
  { name: 'base-url', value: text(BASE_URL), help: 'path or URL of the service', of: server(DEFAULT_BASE_URL) },
  { name: 'stubs', help: 'file of responses to requests that the specification does not define', of: SERVER },
  { name: 'profile', help: PROFILE_HELP, of: SERVER },
  { name: 'proxy', value: text(PROXY_URL), help: 'URL that gets what the specification does not define', of: SERVER },
  { name: 'proxy-keys', value: onOff, help: 'forward keys and cookies to --proxy', of: SERVER_OFF },
  { name: 'proxy-origin', value: list, help: 'origin of pages that may use --proxy, beside loopback', of: SERVER },
  {
    name: 'grace',
    value: text(GRACE),
    help: 'how long to wait for responses in flight on shutdown: 5s, 500ms or 0',
    // The client of any request still in flight has exited when `exec` ends.
    of: { serve: DEFAULT_GRACE, exec: 0 },
  },
  { name: 'open', value: onOff, help: 'open the console or demo in the browser', of: { serve: false, demo: false } },
  {
    name: 'log',
    value: choice(['pretty', 'json', 'silent']),
    help: 'log format',
    of: { serve: 'pretty', exec: 'silent' },
  },
  { name: 'config', help: 'JSON file with flags as properties', of: SERVER },
  { name: 'write', value: onOff, help: 'also send updates, and restore the stock afterwards', of: CHECK_OFF },
  { name: 'pet', value: list, help: 'id of a pet that --write may update; repeatable; any by default', of: CHECK },
  { name: 'profile', help: PROFILE_HELP, of: CHECK, isLineOnly: true },
  { name: 'write-profile', help: 'write the decisions of the service to this file', of: CHECK, isLineOnly: true },
  { name: 'restore', help: 'only put back the stock that a check left in this file', of: CHECK, isLineOnly: true },
  { name: 'timeout', value: TIME, help: 'time limit: 30s, 5m', of: { check: '120s', record: '30s', ...MUTATE } },
  { name: 'only', help: 'run only the cases or mutants with these words in their names', of: { ...CHECK, ...MUTATE } },
  { name: 'header', value: lines, help: "header for every request, as 'Name: value'; repeatable", of: CHECK },
  {
    name: 'quiet',
    alias: ['q'],
    value: onOff,
    help: 'do not log requests or print progress',
    of: { ...SERVER_OFF, ...CHECK_OFF, ...MUTATE_OFF },
  },
  {
    name: 'reporter',
    value: list,
    help: 'pretty, json or junit; repeatable, as in junit=report.xml',
    of: { check: 'pretty', mutate: 'pretty' },
    isLineOnly: true,
  },
  {
    name: 'profile-points',
    value: onOff,
    help: 'try the decisions that a profile may hold, not the defects',
    of: MUTATE_OFF,
  },
  { name: 'allow-unreached', value: onOff, help: 'do not count defects that no request meets', of: MUTATE_OFF },
  { name: 'accept', help: 'file of names of mutants whose result is known, one in each line', of: MUTATE },
  { name: 'jobs', alias: ['j'], value: whole(1, 64), help: 'how many mutants to run at once', of: { mutate: 1 } },
  { name: 'list', value: onOff, help: 'list the mutants', of: MUTATE_OFF, isLineOnly: true },
  { ...OUTPUT, help: 'file to write; or standard output', of: { record: undefined, 'fixture generate': undefined } },
  { ...OUTPUT, help: 'folder to write', of: { 'demo build': REQUIRED } },
  { name: 'title', help: 'title of the page and its shop', of: demos(undefined) },
  { name: 'names', help: 'file with the names and prices of the pets', of: demos(undefined) },
  {
    name: 'force',
    value: onOff,
    help: 'overwrite existing files',
    of: { ...CHECK_OFF, ...MUTATE_OFF, record: false, init: false, 'fixture generate': false, 'demo build': false },
    isLineOnly: true,
  },
] as const satisfies readonly Option<CommandName>[]

type RowOf<Command extends CommandName> = Extract<(typeof OPTIONS)[number], { of: Record<Command, unknown> }>

type ValueOf<Row extends Option, Command extends CommandName> =
  | (Row extends { value: { schema: { readonly '~types'?: { readonly output: infer Output } | undefined } } }
      ? Output
      : string)
  | Extract<Row['of'][Command], undefined>

/** The parsed flags of a command. Of one union of commands, those that all of them have. */
export type Flags<Command extends CommandName> = {
  readonly [Row in RowOf<Command> as CamelCase<Row['name']>]: ValueOf<Row, Command>
}

export type ServerFlags = Flags<'exec'>

export function optionsOf(command: string): readonly Option[] {
  return OPTIONS.filter(({ of }) => command in of)
}
