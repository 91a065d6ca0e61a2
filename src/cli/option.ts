import * as v from 'valibot'
import { oneOf, parseOr, readAs, type Schema, string } from '../http/schema.ts'
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
  readonly replaces?: string
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

const ANY_TEXT = text()

/** A repeatable flag. Commas separate values, or line breaks where values may contain commas, so that one environment variable can hold several. */
export const list: FlagValue<string[]> = { kind: 'list', schema: v.array(string), separator: ',' }
export const lines: FlagValue<string[]> = { ...list, separator: '\n' }

/**
 * Parses the value of a flag, wherever it comes from.
 * @param subject Its source, for the message: `--port`, `PETSTORE_MOCK_PORT` or `config.json: port`.
 * @throws {UsageError}
 */
export function parseFlag(option: Option, value: unknown, subject: string): unknown {
  const { kind, schema, separator = '' } = option.value ?? ANY_TEXT
  const refuse = (sentence: string): UsageError => new UsageError(sentence)
  if (kind === 'switch') return parseOr(schema, value, { subject, refuse })
  const texts = [value].flat().map((each) => {
    // A config file may contain numbers. The message does not repeat the value, which may hold a key.
    if (typeof each === 'string' || typeof each === 'number' || typeof each === 'bigint') return String(each)
    throw refuse(`${subject} must be a string or a number.`)
  })
  if (kind === 'list') return texts.flatMap((each) => each.split(separator))
  const [text = ''] = texts
  if (texts.length > 1) throw refuse(`${subject} is given ${texts.length} times. Pass it once.`)
  if (text === '') throw refuse(`${subject} needs a value.`)
  return parseOr(schema, text, { subject, refuse })
}

export type CamelCase<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name

export function toCamelCase(flag: string): string {
  return flag.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}
