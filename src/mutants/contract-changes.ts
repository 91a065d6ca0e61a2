import { SPECIFICATION_JSON } from '../contract/document.gen.ts'
import { isJsonObject } from '../http/exact-json.ts'
import { escapeControls } from '../http/quote.ts'
import { MUTANTS, type Mutant } from './mutants.ts'

const ACTS: readonly (readonly [change: RegExp, name: string])[] = [
  [/^adds .* responses 2\d\d .*(?:properties|required) \S+$/, 'new-property'],
  [/^adds .* responses 2\d\d .*status enum \S+$/, 'new-status'],
  [/^adds .* responses 4\d\d .*code (?:enum|pattern)\b/, 'other-errors'],
]

/** Selects the mutants that act out what a new OpenAPI document changes, and names what they cannot act out. */
export function findContractChanges(document: unknown): { mutants: readonly Mutant[]; others: string[] } {
  const before = new Set(listStatements(JSON.parse(SPECIFICATION_JSON['3.1'])))
  const after = new Set(listStatements(document))
  const removed = Array.from(before.difference(after), (statement) => `removes ${statement}`)
  const all = new Set([...removed, ...Array.from(after.difference(before), (statement) => `adds ${statement}`)])
  // A new property also has a type.
  const changes = [...all].filter((change) => !all.has(change.slice(0, change.lastIndexOf(' '))))
  const names = changes.map((change) => ACTS.find(([pattern]) => pattern.test(change))?.[1])
  const others = changes.filter((_, index) => names[index] === undefined)
  const sentences = others.map((each) => `No mutant acts out that the new contract ${escapeControls(each)}.`)
  const mutants = MUTANTS.filter(({ name }) => names.includes(name))
  return { mutants, others: changes.length === 0 ? ['The new document has the same contract.'] : sentences }
}

/** Texts for people, and what is found where it is referred to. */
const IGNORED = /^(?:description|summary|title|examples?|tags|operationId|x-.*|info|servers|components|openapi)$/

/** Every value of a document after the names that lead to it: `paths /inventory get responses 200`. */
function listStatements(document: unknown): string[] {
  const list = (value: unknown, path: readonly string[], parents: readonly unknown[]): string[] => {
    if (Array.isArray(value)) return value.flatMap((each) => list(each, path, parents))
    if (!isJsonObject(value)) return [[...path, value].join(' ')]
    if (parents.includes(value)) return [[...path, '(recursive)'].join(' ')]
    const inner = [...parents, value]
    const { $ref } = value
    const steps = typeof $ref === 'string' ? $ref.slice(2).split('/') : []
    const target = steps.reduce<unknown>((at, step) => (isJsonObject(at) ? at[step] : undefined), document)
    if (steps.length > 0) return list(target ?? $ref, path, inner)
    return Object.entries(value).flatMap(([name, each]) => {
      if (path.at(-1) !== 'properties' && IGNORED.test(name)) return []
      return [[...path, name].join(' '), ...list(each, [...path, name], inner)]
    })
  }
  return list(document, [], [])
}
