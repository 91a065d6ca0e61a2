import { CONTROL_PATH } from '../../src/http/control-path.ts'
import { toCode, toHead, toPage, toTable } from './markdown.ts'

const METHODS = ['get', 'post', 'put', 'delete'] as const

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly const?: unknown
  readonly minimum?: number
  readonly maximum?: number
}

interface Parameter {
  readonly $ref?: string
  readonly name?: string
  readonly in?: string
  readonly description?: string
  readonly schema?: Schema
}

interface Response {
  readonly $ref?: string
  readonly description?: string
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>
}

interface Operation {
  readonly summary: string
  readonly description?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, Body>> }
  readonly responses: Readonly<Record<string, Response>>
}

interface Body {
  readonly schema?: Schema
  readonly examples?: Readonly<Record<string, { readonly summary?: string; readonly value?: unknown }>>
}

/** The control API's document, as far as this page reads it. */
export interface ControlDocument {
  readonly paths: Readonly<
    Record<
      string,
      Partial<Record<(typeof METHODS)[number], Operation>> & { readonly parameters?: readonly Parameter[] }
    >
  >
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Schema>>
    readonly parameters?: Readonly<Record<string, Parameter>>
    readonly responses?: Readonly<Record<string, Response>>
  }
}

const INTRO = `Every route of the control API. The contract is [spec/control.openapi.yaml](../../spec/control.openapi.yaml), also
served at \`GET /_mock/openapi.json\`. A route that takes \`?sandbox=NAME\` acts on that sandbox, which is created on first
use, otherwise on the default one. [The server](../server.md#control-api) says who may use it.`

/** Responses that every route can have. */
const ERRORS =
  'Errors are Error objects: 400 for an invalid request, 401 without the control token where one is set, 403 for a request from another site.'
const COMMON = ['400', '401', '403', '429']

/** `docs/reference/control-api.md`, from the contract. */
export function toControlReference(document: ControlDocument): string {
  const routes = Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method]
      if (operation === undefined) return []
      const shared = item.parameters ?? []
      return [{ title: `${method.toUpperCase()} ${CONTROL_PATH}${path}`, operation, shared }]
    }),
  )
  const { schemas = {} } = document.components ?? {}
  return toPage([
    toHead('Control API', INTRO),
    ERRORS,
    toTable(
      ['route', 'what it does'],
      routes.map(({ title, operation }) => [toCode(title), operation.summary]),
    ),
    ...routes.flatMap(({ title, operation, shared }) => describeRoute({ title, operation, shared, document })),
    '## Objects',
    ...Object.entries(schemas).flatMap(([name, schema]) => describeSchema(name, schema)),
  ])
}

interface Route {
  readonly title: string
  readonly operation: Operation
  readonly shared: readonly Parameter[]
  readonly document: ControlDocument
}

function describeRoute({ title, operation, shared, document }: Route): string[] {
  const { parameters: known = {}, responses = {} } = document.components ?? {}
  const parameters = [...shared, ...(operation.parameters ?? [])].map((each) => known[toName(each.$ref)] ?? each)
  const [[type = '', body] = []] = Object.entries(operation.requestBody?.content ?? {})
  const examples = Object.values(body?.examples ?? {})
  const outcomes = Object.entries(operation.responses)
    .filter(([status]) => !COMMON.includes(status))
    .map(([status, each]) => [status, describeResponse(responses[toName(each.$ref)] ?? each)])
  return [
    `## ${title}`,
    [`${operation.summary}.`, operation.description ?? ''].join('\n\n'),
    parameters.some(isSandbox) ? 'Takes `?sandbox=NAME`.' : '',
    toTable(
      ['parameter', 'type', 'meaning'],
      parameters
        .filter((each) => !isSandbox(each))
        .map(({ name = '', in: place, description = '', schema = {} }) => [
          place === 'path' ? toCode(`{${name}}`) : toCode(`?${name}=`),
          toType(schema),
          description,
        ]),
    ),
    body === undefined
      ? ''
      : `Body (${toCode(type)}): ${toType(body.schema ?? {})}${examples.length === 0 ? '' : ', for example'}`,
    examples.map(({ value, summary = '' }) => `- ${toCode(JSON.stringify(value))}: ${summary}`).join('\n'),
    toTable(['response', 'body'], outcomes),
  ]
}

function isSandbox({ name, in: place }: Parameter): boolean {
  return place === 'query' && name === 'sandbox'
}

function describeResponse({ description = '', content = {} }: Response): string {
  const bodies = Object.entries(content).map(([type, { schema }]) =>
    type === 'application/json' ? toType(schema ?? {}) : toCode(type),
  )
  return [...bodies, description].filter((part) => part !== 'OK').join('; ')
}

function describeSchema(name: string, schema: Schema): string[] {
  const parts = [schema, ...(schema.allOf ?? [])]
  const properties = parts.flatMap((part) => Object.entries(part.properties ?? {}))
  const required = parts.flatMap((part) => part.required ?? [])
  const bases = (schema.allOf ?? []).flatMap(({ $ref }) => ($ref === undefined ? [] : [link(toName($ref))]))
  return [
    `### ${name}`,
    schema.description ?? '',
    bases.length === 0 ? '' : `Has everything of ${bases.join(', ')}.`,
    properties.length === 0 ? toType(schema) : '',
    toTable(
      ['property', 'type', 'meaning'],
      properties.map(([property, each]) => [
        `${toCode(property)}${required.includes(property) ? '' : ' (optional)'}`,
        toType(each),
        describeProperty(each),
      ]),
    ),
  ]
}

/** Also describes the properties of an object that has no name of its own. */
function describeProperty({ description = '', properties = {} }: Schema): string {
  const members = Object.entries(properties).flatMap(([name, each]) =>
    each.description === undefined ? [] : [`${toCode(name)}: ${each.description}`],
  )
  return [description, ...members].join(' ')
}

function toType(schema: Schema): string {
  if (schema.$ref !== undefined) return link(toName(schema.$ref))
  if (schema.enum !== undefined) return schema.enum.map((each) => toCode(String(each))).join(', ')
  const choices = schema.oneOf ?? schema.anyOf
  if (choices !== undefined) return [...new Set(choices.map(toType))].join(' or ')
  if (schema.items !== undefined) return `list of ${toType(schema.items)}`
  const types = [schema.type ?? []].flat()
  if (schema.properties !== undefined) return `object with ${listProperties(schema.properties)}`
  if (schema.const !== undefined) return toCode(String(schema.const))
  if (schema.minimum !== undefined && schema.maximum !== undefined) return `${schema.minimum} to ${schema.maximum}`
  if (types.length === 0) return 'any value'
  return `${types.join(' or ')}${schema.format === undefined ? '' : ` (${schema.format})`}`
}

function listProperties(properties: Readonly<Record<string, Schema>>): string {
  const names = Object.entries(properties).map(([name, schema]) => `${toCode(name)} (${toType(schema)})`)
  return names.join(', ')
}

function link(name: string): string {
  return `[${name}](#${name.toLowerCase()})`
}

function toName(ref = ''): string {
  return ref.split('/').at(-1) ?? ''
}
