import { SPECIFICATION_JSON } from '../contract/document.gen.ts'
import { isJsonObject } from '../http/exact-json.ts'
import { MockError } from '../http/mock-error.ts'
import { escapeControls, suggest } from '../http/quote.ts'
import { createFaultResponse } from '../sandbox/fault.ts'
import { type Change, MUTANTS, type Mutant, type Row } from './mutants.ts'

/** The name of a mutant says what it acts out, because the processes of the tests have no document. */
const ACTS: readonly (readonly [change: RegExp, name: string])[] = [
  [/^adds .* responses 2\d\d .*(?:properties|required) \S+$/, 'new-property'],
  [/^adds .* responses 2\d\d .*status enum \S+$/, 'new-status'],
  [/^adds .* responses 4\d\d .*code (?:enum|pattern)\b.*/, 'other-errors'],
  [/^adds paths (\/inventory\S*) .*requestBody .* required ([\w-]+)$/, '$1 requires $2'],
  [/^(?:removes paths (\S+)(?: \w+)?|adds paths (\S+) \w+ responses 410)$/, '$1$2 was removed'],
  [/^adds paths (\/inventory\S*) \w+ responses (4\d\d)$/, '$1 answers $2'],
]

export function findMutant(name: string): Mutant & Row {
  const mutant = MUTANTS.find((each) => each.name === name)
  if (mutant !== undefined) return mutant
  const [, path, property = '', status] = /^(\S+) (?:requires (\S+)|answers (\d+)|was removed)$/.exec(name) ?? []
  if (path === undefined) {
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
    if (status === undefined || response.status !== old) return response
    alter()
    return createFaultResponse({ status: Number(status) }, rules)
  }
  const instead = status === undefined ? '' : ` instead of ${old}`
  const text = `the old contract: by the new one, ${name}${instead}. Make them pass with both`
  return { name, kind: 'new', text, change }
}

/** Selects the mutants that act out what a new OpenAPI document changes, and names what they cannot act out. */
export function findContractChanges(document: unknown): { mutants: readonly Mutant[]; others: string[] } {
  if (!isJsonObject(document) || !isJsonObject(document['paths']))
    throw new MockError('INVALID_OPTION', '--openapi: the file is no OpenAPI document, which has an object paths.')
  const before = new Set(listStatements(JSON.parse(SPECIFICATION_JSON['3.1'])))
  const after = new Set(listStatements(document))
  const removed = Array.from(before.difference(after), (statement) => `removes ${statement}`)
  const all = new Set([...removed, ...Array.from(after.difference(before), (statement) => `adds ${statement}`)])
  const changes = [...all].filter((change) => {
    // A new property also has a type, and may be required.
    const required = change.replace(/(requestBody .*)properties (?=\S+$)/, '$1required ')
    return !all.has(change.slice(0, change.lastIndexOf(' '))) && (required === change || !all.has(required))
  })
  const [others, acted] = [new Set(changes), new Set<string>()]
  for (const [pattern, name] of ACTS)
    for (const each of others) if (pattern.test(each) && others.delete(each)) acted.add(each.replace(pattern, name))
  const sentences = Array.from(others, (each) => `No mutant acts out that the new contract ${escapeControls(each)}.`)
  if (changes.length === 0) sentences.push('The new document has the same contract.')
  return { mutants: Array.from(acted, findMutant), others: sentences }
}

/** Texts for people, and what is found where it is referred to. */
const IGNORED = /^(?:description|summary|title|examples?|tags|operationId|x-.*|info|servers|components|openapi)$/

/** Every value of a document after the names that lead to it: `paths /inventory get responses 200`. */
function listStatements(document: unknown): string[] {
  const list = (value: unknown, path: string, parents: readonly unknown[]): string[] => {
    if (Array.isArray(value)) return value.flatMap((each) => list(each, path, parents))
    if (!isJsonObject(value)) return [`${path}${value}`]
    if (parents.includes(value)) return [`${path}(recursive)`]
    const inner = [...parents, value]
    const { $ref } = value
    const find = (at: unknown, step: string): unknown => (isJsonObject(at) ? at[step] : undefined)
    if (typeof $ref === 'string') return list($ref.slice(2).split('/').reduce(find, document) ?? $ref, path, inner)
    const shown = Object.entries(value).filter(([name]) => path.endsWith(' properties ') || !IGNORED.test(name))
    return shown.flatMap(([name, each]) => [path + name, ...list(each, `${path}${name} `, inner)])
  }
  return list(document, '', [])
}
