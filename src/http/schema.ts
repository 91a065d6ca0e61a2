// Rewrites valibot's messages in the form of the mock's: path, reason, value and the closest known name. A schema's
// message is the clause after the path: `must be a string, got 5 (number)`.

import * as v from 'valibot'
import { isJsonObject, isPlain } from './exact-json.ts'
import { MockError, type MockErrorCode } from './mock-error.ts'
import { cut, explainUnknown, quote, suggest } from './quote.ts'

/** A schema for untrusted values. */
export type Schema<Output> = v.GenericSchema<unknown, Output>

/** A schema for each property of an object. The compiler reports a missing or extra one. */
export type Entries<Output> = { readonly [Name in keyof Required<Output>]: Schema<Output[Name]> }

type Message = (issue: v.BaseIssue<unknown>) => string

/** The message `must be an array, got 5 (number)`. */
export function must(be: string): Message {
  return ({ input }) => `must be ${be}, got ${quote(input)}`
}

/** The same for a secret value: the message shows only its type. */
export function mustSecretly(be: string): Message {
  return ({ input }) => `must be ${be}, got ${Array.isArray(input) ? 'an array' : `a value of type ${typeof input}`}`
}

/** Not a Promise or a Map, which would count as an object without properties. */
function hasProperties(value: unknown): value is object {
  return isJsonObject(value) && (isPlain(value) || Object.keys(value).length > 0)
}

/** An object with these properties and no others. */
export function object<Output extends object>(entries: Entries<Output>): Schema<Output> {
  const known = Object.keys(entries).join(', ')
  // valibot accepts an array as an object, and returns a copy.
  const isObject = v.custom<object>(hasProperties, must(`an object with ${known}`))
  // `expected` is 'never' for an unknown property; otherwise the property is missing. An issue carries only
  // a message, so the message for an unknown property lists the known names as JSON, for `toUnknownNames`.
  const names = JSON.stringify(Object.keys(entries))
  const strict = v.strictObject(entries, ({ expected }) => (expected === 'never' ? names : 'is required'))
  return v.pipe(isObject, strict) as v.GenericSchema as Schema<Output>
}

export function oneOf<const Value extends string>(values: readonly Value[]): Schema<Value> {
  // Without quotes, a value that has a comma would look like two.
  const shown = values.map((value) => (value.includes(',') ? JSON.stringify(value) : value))
  const message = must(`one of ${shown.join(', ')}`)
  return v.picklist(values, (issue) => {
    const hint = typeof issue.input === 'string' ? suggest(issue.input, values) : ''
    return `${message(issue)}${hint === '' ? '' : `.${hint}`}`
  })
}

/** A safe integer within bounds. */
export function whole(
  min: number,
  max: number = Number.MAX_SAFE_INTEGER,
  be: string = max === Number.MAX_SAFE_INTEGER
    ? `an integer of ${min} or more`
    : `a whole number from ${min} to ${max}`,
): Schema<number> {
  const message = must(be)
  return v.pipe(v.number(message), v.safeInteger(message), v.minValue(min, message), v.maxValue(max, message))
}

/** One value or a list of them. In a list, a problem is reported with its index. */
export function oneOrMany<Output>(one: Schema<Output>): Schema<Output | readonly Output[]> {
  const many = v.array(one)
  return v.lazy((input): Schema<Output | readonly Output[]> => (Array.isArray(input) ? many : one))
}

/** Any safe integer. */
export const safeInteger: Schema<number> = whole(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, 'a safe integer')

/**
 * An optional property that selects something. Present with the value `undefined`, it is refused: it would select
 * everything.
 * @param effect What leaving it out does: `match every pet`.
 */
export function selector<Output>(schema: Schema<Output>, effect: string): Schema<Output> {
  const isGiven = v.custom((value) => value !== undefined, `is undefined. Leave it out to ${effect}`)
  return v.exactOptional(v.pipe(isGiven, schema)) as v.GenericSchema as Schema<Output>
}

/** A value that `read` can parse. `read` returns `undefined` for an invalid value. */
export function readAs<Output>(read: (value: unknown) => Output | undefined, be: string): Schema<Output> {
  return v.pipe(
    v.custom((value) => read(value) !== undefined, must(be)),
    v.transform((value) => read(value) as Output),
  )
}

export const boolean: Schema<boolean> = v.boolean(must('true or false'))
export const string: Schema<string> = v.string(must('a string'))

/** A function. Its parameters and result are not checked. */
export function callback<Callback>(): Schema<Callback> {
  return v.custom<Callback>((value) => typeof value === 'function', must('a function'))
}

/** A problem of a value. */
export interface Problem {
  /** `inventory[3].petId`; empty for the value itself. */
  readonly path: string
  /** The rest of the sentence, after the path. */
  readonly clause: string
  /** Whether the name of the property is unknown. */
  readonly isUnknown: boolean
  /** Whether the clause is already a full sentence, because it concerns the value as a whole. */
  readonly isSentence: boolean
}

/** The parsed value, or its problems. Unknown names come first, because they are probably misspelled. */
type Reading<Output> =
  | { readonly output: Output; readonly problems?: never }
  | { readonly output?: never; readonly problems: readonly [Problem, ...Problem[]] }

export function read<Output>(schema: Schema<Output>, value: unknown): Reading<Output> {
  const result = v.safeParse(schema, value, { abortPipeEarly: true })
  if (result.success) return { output: result.output }
  const problems = result.issues.flatMap(toProblems).sort((one, other) => +other.isUnknown - +one.isUnknown)
  return { problems: problems as [Problem, ...Problem[]] }
}

/** The error for an invalid value. */
export interface Refusal {
  /** The beginning of the message: `Failed to start the server`. */
  readonly failure: string
  /**
   * The name of the whole value in the message.
   * @default 'the options'
   */
  readonly subject?: string
  /** @default 'INVALID_OPTION' */
  readonly code?: MockErrorCode
}

/**
 * Validates a value.
 * @throws {MockError} with the first problem. Unknown names come first, because they are probably misspelled.
 */
export function parseWith<Output>(schema: Schema<Output>, value: unknown, refusal: Refusal): Output {
  const { failure, subject = 'the options', code = 'INVALID_OPTION' } = refusal
  return parseOr(schema, value, {
    subject,
    refuse: (sentence) => new MockError(code, `${failure}: ${sentence}`),
  })
}

/** Like `parseWith`, with an error that the caller creates from the sentence. */
export function parseOr<Output>(
  schema: Schema<Output>,
  value: unknown,
  { subject, refuse }: { readonly subject: string; readonly refuse: (sentence: string) => Error },
): Output {
  const { output, problems } = read(schema, value)
  if (problems === undefined) return output
  const [{ path, clause, isSentence }] = problems
  throw refuse(`${isSentence ? '' : `${path || subject} `}${clause}${/[.?]$/.test(clause) ? '' : '.'}`)
}

/** An issue of valibot is one problem, but for an unknown name. */
function toProblems(issue: v.BaseIssue<unknown>): Problem[] {
  const keys = issue.path ?? []
  if (issue.expected === 'never') return toUnknownNames(keys, issue.message)
  // A check of the whole value brings its own subject: `it needs quantity or status`.
  const isSentence = issue.type === 'check' && keys.length === 0
  return [{ path: toPath(keys), clause: issue.message, isUnknown: false, isSentence }]
}

/** Limits the unknown names that are reported for one object: a request may contain a million. */
const MOST_NAMES = 101

/**
 * Every unknown name of an object, because valibot reports only the first.
 * @param keys The path of that one.
 * @param names The known names as JSON, which `object` makes the message of the issue.
 */
function toUnknownNames(keys: readonly v.IssuePathItem[], names: string): Problem[] {
  const known = JSON.parse(names) as string[]
  const { input, key } = keys.at(-1) as v.IssuePathItem
  const unknown = Object.keys(input as object).filter((name) => !known.includes(name))
  // A name that `Object.keys` does not list, such as one that is inherited.
  const shown = unknown.length === 0 ? [String(key)] : unknown.slice(0, MOST_NAMES)
  return shown.map((name) => ({
    path: toPath([...keys.slice(0, -1), { key: name }]),
    clause: explainUnknown(name, known),
    isUnknown: true,
    isSentence: false,
  }))
}

function toPath(keys: readonly { readonly key: unknown }[]): string {
  const path = keys.map(({ key }) => (typeof key === 'number' ? `[${key}]` : `.${cut(String(key))}`)).join('')
  return path.replace(/^\./, '')
}
