/**
 * Generates the files of `src/contract` from the documents beside this file, the JSON schemas of fixtures, stubs and the
 * config file from the schemas that parse them, the control API's document from its table, and `docs/reference` from all
 * of these: `npm run generate`. With `--check` it writes nothing and fails if a file is out of date.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { type JsonSchema, toJsonSchema } from '@valibot/to-json-schema'
import openapiTypes, { astToString } from 'openapi-typescript'
import * as v from 'valibot'
import { isScalar, isSeq, parse, parseDocument, stringify, visit } from 'yaml'
import type { Schema } from '../src/http/schema.ts'
import { PET, PET_KEY } from '../src/inventory/pet.ts'
import { PROFILE } from '../src/inventory/profile.ts'
import { FIXTURE } from '../src/store/fixture.ts'
import { type ParsedParts, toControlDocument } from './control-document.ts'
import { toApiReference } from './reference/api.ts'
import { type ControlDocument, toControlReference } from './reference/control.ts'

const PET_ID: JsonSchema = {
  description: 'An int64. Beyond 9007199254740991 a string is safe with every tool.',
  anyOf: [
    { type: 'integer', minimum: -(2 ** 63), maximum: 2 ** 63 },
    { type: 'string', pattern: '^(0|-?[1-9][0-9]{0,18})$' },
  ],
}

const MS: JsonSchema = { type: 'number', minimum: 0 }
const DELAY_LIMITS: JsonSchema = { oneOf: [MS, { type: 'array', items: MS, minItems: 2, maxItems: 2 }] }
const DELAY_INPUT: JsonSchema = {
  oneOf: [
    { $ref: '#/components/schemas/Delay' },
    { type: 'string', description: 'The same as a string: `200` or `100-300`.', pattern: '^\\d+(-\\d+)?$' },
  ],
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const

interface OperationObject {
  operationId: string
  deprecated?: boolean
  requestBody?: object
  responses: Record<string, unknown>
  'x-stability'?: string
  'x-specified'?: boolean
}

interface OpenApiDocument {
  info: { version: string }
  paths: Record<string, Partial<Record<(typeof METHODS)[number], OperationObject>>>
}

const service = await readDocument('openapi.yaml')
const olderYaml = toOpenApi30(service.yaml)
const stale: string[] = []

const contract: Record<string, string> = {
  'openapi.gen.ts': service.banner + (await toTypes(service.url)),
  'operations.gen.ts': service.banner + toOperationTable(service.document),
  'document.gen.ts': service.banner + toDocumentModule({ '3.1': service.yaml, '3.0': olderYaml }),
}

await write({
  ...Object.fromEntries(Object.entries(contract).map(([name, content]) => [`src/contract/${name}`, content])),
  'src/console/api/operations.gen.ts': service.banner + toConsoleOperations(service.document),
  'spec/openapi-3.0.yaml': `# Made from openapi.yaml by \`npm run generate\`. Do not edit.\n${olderYaml}`,
})

// After the contract, because this part of the source needs every operation in it.
const { toConfigSchema, STUBS_FILE, NAMES_FILE, toCliReference, ROUTE_LIST, FAULT, DELAY } = await loadSource()
const control = toControlDocument({
  info: parse(await readFile(new URL('control.info.yaml', import.meta.url), 'utf8')) as object,
  parsed: Object.fromEntries(ROUTE_LIST.map((route) => [`${route.method} ${route.path}`, toParsedParts(route)])),
  limits: {
    ...toFaultLimits(toLimits(FAULT)),
    Fixture: toLimits(FIXTURE),
    FixtureItem: toLimits(PET),
    Delay: DELAY_LIMITS,
  },
})
const controlYaml = stringify(control, { aliasDuplicateObjects: false, lineWidth: 0 })
await write({
  'spec/control.openapi.yaml': `# Made from src/control/contract.ts by \`npm run generate\`. Do not edit.\n${controlYaml}`,
  'src/contract/control-document.gen.ts': `// Made from src/control/contract.ts by \`npm run generate\`. Do not edit.\n\n${toControlDocumentModule(control)}`,
  'fixtures/fixture.schema.json': toSchemaFile(FIXTURE, { title: 'Fixture', description: 'A named inventory.' }),
  'spec/config.schema.json': toSchemaFile(toConfigSchema(), {
    title: 'Config file',
    description: 'Flags of `petstore-mock serve --config FILE`, by their names.',
  }),
  'spec/stubs.schema.json': toSchemaFile(STUBS_FILE, {
    title: 'Stubs',
    description: 'Responses of `petstore-mock serve --stubs FILE` to requests that the specification does not show.',
  }),
  'spec/names.schema.json': toSchemaFile(NAMES_FILE, {
    title: 'Names',
    description: 'What the shop of `petstore-mock demo --names FILE` calls its pets, and what they cost, by petId.',
  }),
  'spec/profile.schema.json': toSchemaFile(PROFILE, {
    title: 'Profile',
    description:
      "How a service decides where the specification is silent. A property that is left out keeps the mock's own decision.",
  }),
})

// Last, because it reads the types written above.
await write({
  'docs/reference/api.md': toApiReference(),
  'docs/reference/cli.md': toCliReference(),
  'docs/reference/control-api.md': toControlReference(control as unknown as ControlDocument),
})

if (process.argv.includes('--check') && stale.length > 0) {
  console.error(`Out of date: ${stale.join(', ')}. Run \`npm run generate\`.`)
  process.exitCode = 1
}

async function loadSource() {
  try {
    return {
      ...(await import('../src/control/answer-control.ts')),
      ...(await import('../src/sandbox/delay.ts')),
      ...(await import('../src/sandbox/fault.ts')),
      ...(await import('./config-schema.ts')),
      ...(await import('../src/cli/serve/load-files.ts')),
      ...(await import('../src/cli/commands/demo.ts')),
      ...(await import('./reference/cli.ts')),
    }
  } catch (cause) {
    const advice = '`npm run check` names what it lacks, such as a new operation. Then run `npm run generate` again.'
    throw new Error(`src/contract is up to date, but the source cannot be loaded. ${advice}`, { cause })
  }
}

/** Writes the files that differ. With `--check`, it only notes them. */
async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const file = new URL(`../${name}`, import.meta.url)
    const present = await readFile(file, 'utf8').catch(() => '')
    if (present === content) continue
    stale.push(name)
    if (!process.argv.includes('--check')) await writeFile(file, content)
  }
}

function toSchemaFile(schema: Schema<unknown>, about: { title: string; description: string }): string {
  const { $schema, ...rest } = toJsonSchema(schema, {
    target: 'draft-2020-12',
    typeMode: 'output',
    errorMode: 'ignore',
    // How an id is read cannot be put into JSON Schema by itself.
    overrideSchema: ({ valibotSchema }) => (valibotSchema === toFirst(PET_KEY) ? PET_ID : undefined),
  })
  const text = JSON.stringify({ $schema, ...about, ...rest }, null, 2)
  // The bounds of an int64, which are no doubles.
  return `${text.replaceAll('-9223372036854776000', '-9223372036854775808').replaceAll(': 9223372036854776000', ': 9223372036854775807')}\n`
}

/** The first part of a pipe, which is asked about in its place. */
function toFirst(schema: Schema<unknown>): unknown {
  return (schema as unknown as { pipe: unknown[] }).pipe[0]
}

async function readDocument(name: string) {
  const url = new URL(name, import.meta.url)
  const yaml = await readFile(url, 'utf8')
  const banner = `// Made from spec/${name} by \`npm run generate\`. Do not edit.\n\n`
  return { url, yaml, banner, document: parse(yaml) as OpenApiDocument }
}

async function toTypes(url: URL): Promise<string> {
  return astToString(await openapiTypes(url))
}

/** The part of a schema that JSON Schema can express. */
function toLimits(schema: Schema<unknown>): JsonSchema {
  const limits = toJsonSchema(schema, {
    target: 'draft-2020-12',
    typeMode: 'output',
    errorMode: 'ignore',
    overrideSchema: ({ valibotSchema }) => (valibotSchema === toFirst(DELAY) ? DELAY_INPUT : undefined),
  })
  // Every safe integer is allowed where there is no other limit.
  return JSON.parse(JSON.stringify(limits), (name, value) => {
    if (name === '$schema') return undefined
    return /imum$/.test(name) && Math.abs(value) === Number.MAX_SAFE_INTEGER ? undefined : (value as unknown)
  }) as JsonSchema
}

/** Without `additionalProperties`, because an active fault has more of them. */
function toFaultLimits({ additionalProperties: _, ...fault }: JsonSchema): Record<string, JsonSchema> {
  const statuses = { items: { type: 'integer', anyOf: [{ const: 200 }, { minimum: 400, maximum: 599 }] } }
  const { rateLimit = {}, ...properties } = fault.properties as Record<string, JsonSchema>
  return {
    Fault: {
      ...fault,
      properties: { ...properties, statuses: { ...properties['statuses'], ...statuses } as JsonSchema },
    },
    RateLimit: rateLimit,
  }
}

function toParsedParts({ parameters, body }: (typeof ROUTE_LIST)[number]): ParsedParts {
  const query = Object.entries(parameters).map(([name, schema]) => [name, toLimits(schema)])
  const limits = body && toLimits(body)
  // Other schemas, such as that of a fault, leave a part of the check to the route.
  const isOptional = limits?.type === 'object' && v.safeParse(body as Schema<unknown>, {}).success
  return { query: Object.fromEntries(query), body: limits, isOptional }
}

/** The console imports nothing of the contract but types. */
function toConsoleOperations(document: OpenApiDocument): string {
  const list = listOperations(document).map(({ path, method, operation: { operationId } }) => {
    return `  { id: '${operationId}', method: '${method.toUpperCase()}', path: '${path}' },\n`
  })
  return `/** The operations of the service. */\nexport const OPERATIONS = [\n${list.join('')}] as const\n`
}

function listOperations({ paths }: OpenApiDocument) {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method]
      return operation === undefined ? [] : [{ path, method, operation }]
    }),
  )
}

function toOperationTable(document: OpenApiDocument): string {
  const rows = listOperations(document).map(({ path, method, operation }) => {
    const statuses = Object.keys(operation.responses).filter((status) => /^\d+$/.test(status))
    return `  {
    id: '${operation.operationId}',
    method: '${method.toUpperCase()}',
    path: '${path}',
    statuses: [${statuses.join(', ')}],
    hasBody: ${operation.requestBody !== undefined},
    specified: ${operation['x-specified'] ?? true},
    stability: '${operation['x-stability'] ?? (operation.deprecated ? 'deprecated' : 'stable')}',
    deprecated: ${operation.deprecated ?? false},
    petIdParameter: ${path.includes('{petId}') ? "'petId'" : 'undefined'},
  },`
  })
  return `/** The version that the interface description gives itself. */
export const SPECIFICATION_VERSION = '${document.info.version}'

/** Every operation of the specification, with the statuses it lists. */
export const OPERATIONS = [
${rows.join('\n')}
] as const

/** The operationId of an operation. */
export type OperationId = (typeof OPERATIONS)[number]['id']
`
}

/**
 * The document for tools that cannot read OpenAPI 3.1. Only what the document uses is converted; `npm run check` reports
 * anything else that OpenAPI 3.0 lacks. Tools of that age may not know 3.0.4.
 */
function toOpenApi30(yaml: string): string {
  const document = parseDocument(yaml)
  document.set('openapi', '3.0.3')
  document.deleteIn(['info', 'summary'])
  visit(document, {
    Pair(_, pair) {
      // Specmatic refuses a range of statuses. `default` says the same.
      if (isScalar(pair.key) && pair.key.value === '2XX') return visit.REMOVE
      // A list holds the examples of a schema. Those of a media type are a map, which 3.0 has too.
      if (!isScalar(pair.key) || pair.key.value !== 'examples' || !isSeq(pair.value)) return undefined
      pair.key.value = 'example'
      pair.value = pair.value.items[0]
      return undefined
    },
  })
  return document.toString({ lineWidth: 0 })
}

function toDocumentModule(yaml: Readonly<Record<string, string>>): string {
  const versions = Object.keys(yaml)
  const json = Object.fromEntries(versions.map((each) => [each, JSON.stringify(parse(yaml[each] ?? ''))]))
  return `export type OpenApiVersion = ${versions.map((each) => `'${each}'`).join(' | ')}

/** The OpenAPI document as YAML. */
export const SPECIFICATION_YAML: string = ${JSON.stringify(yaml['3.1'])}

/** The OpenAPI document as JSON, by the version of OpenAPI. */
export const SPECIFICATION_JSON: Readonly<Record<OpenApiVersion, string>> = ${JSON.stringify(json, null, 2)}
`
}

function toControlDocumentModule(value: object): string {
  return `/** The control API's OpenAPI document as JSON. */
export const CONTROL_DOCUMENT_JSON: string = ${JSON.stringify(JSON.stringify(value))}
`
}
