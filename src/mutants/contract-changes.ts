import { SPECIFICATION_JSON } from '../contract/document.gen.ts'
import { OPERATIONS } from '../contract/operations.gen.ts'
import { isJsonObject } from '../http/exact-json.ts'
import { MockError } from '../http/mock-error.ts'
import { escapeControls, suggest } from '../http/quote.ts'
import { createFaultResponse } from '../sandbox/fault.ts'
import { addTo, type Change, MUTANTS, type Mutant, type Row } from './mutants.ts'

/** The name of a mutant says what it acts out, `…` being an example, because the processes of the tests have no document. */
const ACTS: readonly (readonly [change: RegExp, name: string])[] = [
  [/^adds .* responses 2\d\d .*properties ([\w-]+)$/, 'pets have {"$1":…}'],
  [/^adds .* responses 2\d\d .*status enum \S+$/, 'pets have {"status":…}'],
  [/^adds .* responses 4\d\d .*code enum(?: \S+)?$/, 'errors have {"code":…}'],
  [/^adds paths (\/inventory\S*) .*requestBody .* required ([\w-]+)$/, '$1 requires $2'],
  [/^(?:removes paths (\S+)(?: \w+)?|adds paths (\S+) \w+ responses 410)$/, '$1$2 was removed'],
  [/^adds paths (\/inventory\S*) \w+ responses (4\d\d)$/, '$1 answers $2'],
]

export function findMutant(name: string): Mutant & Row {
  const mutant = MUTANTS.find((each) => each.name === name)
  if (mutant !== undefined) return mutant
  const [, path, property = '', status = ''] = /^(\S+) (?:requires (\S+)|answers (\d+)|was removed)$/.exec(name) ?? []
  const [, of, added] = /^(pets|errors) have (\{.+\})$/.exec(name) ?? []
  if ((path ?? added) === undefined) {
    const names = MUTANTS.map((each) => each.name)
    throw new MockError('INVALID_OPTION', `There is no mutant ${name}.${suggest(name, names)} See mutate --list`)
  }
  // The error that is most like the new one.
  const old = status === '403' || path === '/inventory' ? 401 : 400
  const change: Change = async ({ operation, rules, next, alter }) => {
    if (operation.path !== path) return next()
    const parse: typeof operation.parse = (request, context) => {
      const parsed = operation.parse(request, context)
      if (property === '' || 'problem' in parsed || Object.hasOwn(request.body ?? {}, property)) return parsed
      alter()
      return { problem: `${property} is required` }
    }
    const response = await next({ operation: { ...operation, parse } })
    if (status === '' || response.status !== old) return response
    alter()
    return createFaultResponse({ status: Number(status) }, rules)
  }
  const text = `the old contract: by the new one, ${name}${status && ` instead of ${old}`}. Make them pass with both`
  return { name, kind: 'new', text, change: added === undefined ? change : addTo(of as 'pets', JSON.parse(added)) }
}

/** Selects the mutants that act out what a new OpenAPI document changes, and names what they cannot act out. */
export function findContractChanges(document: unknown): { mutants: readonly Mutant[]; others: string[] } {
  if (!isJsonObject(document) || !isJsonObject(document['paths']))
    throw new MockError('INVALID_OPTION', '--openapi: the file is no OpenAPI document, which has an object paths.')
  const version = /^"3\.0/.test(JSON.stringify(document['openapi'])) ? '3.0' : '3.1'
  const before = listStatements(JSON.parse(SPECIFICATION_JSON[version]))
  const after = listStatements(document)
  const changed = new Set(before.keys()).symmetricDifference(after)
  const all = new Set(Array.from(changed, (each) => `${after.has(each) ? 'adds' : 'removes'} ${each}`))
  const changes = [...all].filter((change) => {
    // A new property also has a type, and may be required.
    const required = change.replace(/(requestBody .*)properties (?=\S+$)/, '$1required ')
    const isPart = all.has(change.slice(0, change.lastIndexOf(' '))) || (required !== change && all.has(required))
    return !isPart && !/^adds .* responses .* required \S+$/.test(change)
  })
  const [others, acted] = [new Set(changes), new Set<string>()]
  for (const [pattern, name] of ACTS)
    for (const each of others) {
      const example = JSON.stringify(toExample(after.get(each.slice('adds '.length))))
      if (!pattern.test(each) || (example === undefined && name.includes('…'))) continue
      others.delete(each)
      acted.add(each.replace(pattern, name).replace('…', () => example))
    }
  const sentences = Array.from(others, (each) => `No mutant acts out that the new contract ${escapeControls(each)}.`)
  if (changes.length === 0) sentences.push('The new document has the same contract.')
  return { mutants: Array.from(acted, findMutant), others: sentences }
}

/** Texts for people, what is found where it is referred to, and names of parameters in a path. */
const IGNORED = /^(?:description|summary|title|examples?|tags|operationId|x-.*|info|servers|components|openapi)$/
const blank = (path: string): string => path.replaceAll(/\{[^{}]*\}/g, '{}')
const toOwn = (path: string): string => OPERATIONS.find((each) => blank(each.path) === blank(path))?.path ?? path

/** Every value of a document by the names that lead to it: `paths /inventory get responses 200`. */
function listStatements(document: unknown): Map<string, unknown> {
  const list = (value: unknown, path: string, parents: readonly unknown[]): (readonly [string, unknown])[] => {
    const statement = [path.trimEnd(), value] as const
    if (Array.isArray(value)) return [...value.flatMap((each) => list(each, path, parents)), statement]
    if (!isJsonObject(value)) return [statement, [`${path}${value}`, value]]
    if (parents.includes(value)) return [[`${path}(recursive)`, value]]
    const inner = [...parents, value]
    const { $ref } = value
    const find = (at: unknown, step: string): unknown =>
      isJsonObject(at) ? at[step.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined
    if (typeof $ref === 'string') return list($ref.slice(2).split('/').reduce(find, document) ?? $ref, path, inner)
    const isShown = (name: string): boolean => !IGNORED.test(name) && (name !== 'name' || value['in'] !== 'path')
    const shown = Object.entries(value).filter(([name]) => path.endsWith(' properties ') || isShown(name))
    return [statement, ...shown.flatMap(([name, each]) => list(each, `${path}${toOwn(name)} `, inner))]
  }
  return new Map(list(document, '', []))
}

const EXAMPLES: Readonly<Record<string, unknown>> = {
  ...{ string: 'text', integer: 1, number: 1, boolean: true, array: [] },
  ...{ date: '2001-01-01', 'date-time': '2001-01-01T00:00:00Z', uri: 'https://petstore.example' },
}

/** An example of a schema, or the value itself; of several, the last one. A schema of parts has none, and is named. */
function toExample(schema: unknown): unknown {
  if (!isJsonObject(schema)) return [schema].flat().at(-1)
  const { example, examples, const: only, default: usual, enum: values, format, type } = schema
  const ofType = [format, type].flat().map((each) => EXAMPLES[String(each)])
  return [[example], examples, [only], [usual], values, ofType].flat().find((each) => each !== undefined)
}
