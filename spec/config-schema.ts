import * as v from 'valibot'
import { type Option, optionsOf, text } from '../src/cli/options.ts'
import { oneOf, type Schema } from '../src/http/schema.ts'

/** The schema of a config file of `serve` for editors. At run time, the flags parse the values. */
export function toConfigSchema(): Schema<unknown> {
  const options = optionsOf('serve').filter(({ name }) => name !== 'config')
  const properties = options.map((option) => {
    return [option.name, v.optional(v.pipe(toValueSchema(option), v.description(option.help)))] as const
  })
  return v.strictObject({ $schema: v.optional(v.string()), ...Object.fromEntries(properties) })
}

function toValueSchema({ value: { kind, choices = [] } = text() }: Option): Schema<unknown> {
  if (kind === 'switch') return v.boolean()
  if (kind === 'choice') return oneOf(choices)
  const one = [v.string(), v.number()]
  return v.union(kind === 'list' ? [...one, v.array(v.union(one))] : one)
}
