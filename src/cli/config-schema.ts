import * as v from 'valibot'
import type { Options } from 'yargs'
import { oneOf, type Schema } from '../http/schema.ts'
import { type FlagOptions, toCamelCase } from './flag-sources.ts'

/** The schema of a config file for editors (`config.schema.json`). At run time, the flags parse the values. */
export function toConfigSchema(options: FlagOptions): Schema<unknown> {
  const properties = Object.entries(options).flatMap(([flag, option]) => {
    const schema = v.optional(v.pipe(toValueSchema(option), v.description(String(option.describe))))
    return [flag, toCamelCase(flag)].map((name) => [name, schema] as const)
  })
  return v.strictObject({ $schema: v.optional(v.string()), ...Object.fromEntries(properties) })
}

function toValueSchema(option: Options): Schema<unknown> {
  if (option.type === 'boolean') return v.boolean()
  if (option.choices !== undefined) return oneOf(option.choices.map(String))
  const one = [v.string(), v.number()]
  return v.union(takesList(option) ? [...one, v.array(v.union(one))] : one)
}

/** A flag that is not repeatable rejects a list of two. */
function takesList({ coerce }: Options): boolean {
  try {
    return coerce?.(['1', '2']) !== undefined
  } catch {
    return false
  }
}
