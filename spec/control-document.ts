/**
 * The control API's OpenAPI document: the routes and their docstrings come from the types of `src/control/contract.ts`, the
 * limits of query and body from the valibot schemas that check them.
 */
import { fileURLToPath } from 'node:url'
import type { JsonSchema } from '@valibot/to-json-schema'
import ts from 'typescript'
import { REASON_PHRASES } from '../src/http/wire-response.ts'

const FILE = fileURLToPath(new URL('../src/control/contract.ts', import.meta.url))

/** Names in the document that differ from those in the source. */
const NAMES: Readonly<Record<string, string>> = {
  ErrorObject: 'Error',
  ConnectionFaultKind: 'ConnectionFault',
  RequestMethod: 'Method',
}
/** Types that stand for themselves in the document. */
const KNOWN: Readonly<Record<string, JsonSchema>> = {
  PetId: { type: 'integer', format: 'int64' } as JsonSchema,
  PetIdLike: { type: ['integer', 'string'], format: 'int64' } as unknown as JsonSchema,
}
/** Numbers are integers but for those that a docstring says to be one of these. */
const FRACTIONS = /\b(?:milliseconds|probability|latency)\b/i

/** What a route parses, as JSON schemas. */
export interface ParsedParts {
  readonly query: Readonly<Record<string, JsonSchema>>
  readonly body: JsonSchema | undefined
  /** Whether the body can be left out. */
  readonly isOptional: boolean
}

export interface DocumentOptions {
  readonly info: object
  /** By the name of the route. */
  readonly parsed: Readonly<Record<string, ParsedParts>>
  /** Limits of the schemas with these names. */
  readonly limits: Readonly<Record<string, JsonSchema>>
}

type Json = Record<string, unknown>

const ERRORS: Readonly<Record<number, readonly [name: string, description: string, error: Json]>> = {
  400: [
    'BadRequest',
    'The request is invalid. The message names the place and the problem.',
    { code: 'invalid_request', message: 'The body must be a JSON object with fixture', status: 400 },
  ],
  401: [
    'Unauthorized',
    'The control token is missing or invalid, or the API key is unknown.',
    { code: 'unauthorized', message: 'The control token is missing or invalid', status: 401 },
  ],
  403: [
    'Forbidden',
    'The request comes from a page of another site, or has a foreign `Host`.',
    { code: 'forbidden', message: 'Control requests from pages of another origin are refused', status: 403 },
  ],
  404: [
    'NotFound',
    'There is no such pet, fault or sandbox. The `code` says which.',
    { code: 'unknown_pet', message: 'There is no pet 404 in the sandbox default', status: 404 },
  ],
  429: [
    'TooManyRequests',
    'The mock has too many open event streams. Close one and try again.',
    {
      code: 'too_many_requests',
      message: 'The mock already has 64 open event streams, the maximum. Close one and try again',
      status: 429,
    },
  ],
  500: [
    'NotSaved',
    'The file cannot be written. It still contains the state of the last save.',
    {
      code: 'internal_error',
      message:
        'Failed to save the state: my.json cannot be written (ENOSPC: no space left on device, write). The file still holds the state of the last save.',
      status: 500,
    },
  ],
}

export function toControlDocument({ info, parsed, limits }: DocumentOptions): Json {
  const known: Record<string, JsonSchema> = { ...limits }
  const program = ts.createProgram([FILE], {
    allowImportingTsExtensions: true,
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    types: [],
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
  })
  const checker = program.getTypeChecker()
  const schemas: Record<string, JsonSchema> = {}
  const source = program.getSourceFile(FILE)
  if (source === undefined) throw new Error(`${FILE} is missing`)
  const interfaces = new Map(
    source.statements.filter(ts.isInterfaceDeclaration).map((each) => [each.name.text, each] as const),
  )
  const bases = interfaces.get('ControlRoutes')?.heritageClauses?.flatMap(({ types }) => types) ?? []
  const groups = bases.map(toDeclaration)
  const pathParameters = toMembers(interfaces.get('PathParameters'))

  const paths: Record<string, Json> = {}
  for (const group of groups) {
    for (const member of group.members.filter(ts.isPropertySignature)) {
      const [method = '', path = ''] = (member.name as ts.StringLiteral).text.split(' ')
      paths[path] ??= {}
      paths[path][method.toLowerCase()] = toOperation(member, { method, path, tag: toTag(group) })
    }
  }
  toReference(interfaces.get('ErrorObject') as ts.InterfaceDeclaration)
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/_mock', description: 'The mock.' }],
    security: [{}, { controlToken: [] }],
    tags: groups.map((group) => ({ name: toTag(group), description: readDoc(group).text })),
    paths,
    components: {
      securitySchemes: {
        controlToken: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Mock-Control-Token',
          description: "The mock's `--control-token`, if it has one.",
        },
      },
      parameters: {
        sandbox: {
          name: 'sandbox',
          in: 'query',
          description:
            'The sandbox to act on, unless the route concerns the whole mock. Without it, the default sandbox.',
          schema: { $ref: '#/components/schemas/SandboxName' },
        },
      },
      responses: Object.fromEntries(
        Object.values(ERRORS).map(([name, description, value]) => [
          name,
          { description, content: toJsonContent({ $ref: '#/components/schemas/Error' }, [[description, value]]) },
        ]),
      ),
      schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => a.localeCompare(b))),
    },
  }

  function toOperation(
    member: ts.PropertySignature,
    { method, path, tag }: { readonly method: string; readonly path: string; readonly tag: string },
  ): Json {
    const { text, tags } = readDoc(member)
    const [summary = '', ...more] = text.split('\n\n')
    const parts = toMembers(member.type)
    const { query = {}, body: limits, isOptional = false } = parsed[`${method} ${path}`] ?? {}
    const body = parts.get('body')?.type
    if (body !== undefined && limits !== undefined) known[body.getText()] ??= limits
    const examples = (tags['example'] ?? []).map((example) => {
      const at = example.indexOf(': ')
      return [example.slice(0, at), JSON.parse(example.slice(at + 2)) as unknown] as const
    })
    const parameters = [
      ...Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => {
        const parameter = pathParameters.get(name) as ts.PropertySignature
        return { name, in: 'path', required: true, ...describe(parameter), schema: toPlain(parameter) }
      }),
      { $ref: '#/components/parameters/sandbox' },
      ...Array.from(toMembers(parts.get('query')?.type), ([name, each]) => toQueryParameter(name, each, query[name])),
    ]
    const failures = [400, 401, 403, ...toNumbers(parts.get('errors')?.type)]
    return {
      operationId: toLiteral(parts.get('id')?.type),
      tags: [tag],
      summary,
      ...(more.length > 0 && { description: `${more.join('\n\n')}` }),
      parameters,
      ...(body !== undefined && {
        requestBody: { required: !isOptional, content: toJsonContent(limit(toSchema(body), limits), examples) },
      }),
      responses: {
        ...toSuccess(parts),
        ...Object.fromEntries(
          failures.sort().map((status) => [status, { $ref: `#/components/responses/${ERRORS[status]?.[0]}` }]),
        ),
      },
    }
  }

  function toSuccess(parts: Members): Json {
    const [media, response] = [parts.get('media')?.type, parts.get('response')?.type]
    const content = media
      ? { [String(toLiteral(media))]: { schema: { type: 'string' } } }
      : response && toJsonContent(toSchema(response), [])
    const statuses = parts.has('status') ? toNumbers(parts.get('status')?.type) : [content === undefined ? 204 : 200]
    return Object.fromEntries(
      statuses.map((status) => [status, { description: REASON_PHRASES[status], ...(content && { content }) }]),
    )
  }

  function toQueryParameter(name: string, member: ts.PropertySignature, limits: JsonSchema | undefined): Json {
    const { tags } = readDoc(member)
    const [[example] = [], [standard] = []] = [tags['example'], tags['default']]
    // One with blanks is a description, not a value.
    const isValue = standard !== undefined && !standard.includes(' ')
    const schema = { ...limit(toPlain(member), limits), ...(isValue && { default: standard }) }
    const about = { name, in: 'query', ...describe(member) }
    if (example === undefined) return { ...about, schema }
    return { ...about, content: { 'application/json': { schema, example: JSON.parse(example) as unknown } } }
  }

  /** The schema of a parameter, whose description stands beside it. */
  function toPlain(member: ts.PropertySignature): JsonSchema {
    const { description: _, ...schema } = toProperty(member) as JsonSchema & { description?: string }
    return schema
  }

  function toProperty(member: ts.PropertySignature): JsonSchema {
    const { text, tags } = readDoc(member)
    const schema = member.type === undefined ? {} : toSchema(member.type, text)
    return { ...schema, ...toTagged(tags), ...describe(member) }
  }

  function describe(member: ts.PropertySignature): { description?: string } {
    const { text, tags } = readDoc(member)
    const [standard] = tags['default'] ?? []
    const description = standard === undefined ? text : `${text} Default: ${standard}.`.trim()
    return description === '' ? {} : { description }
  }

  /** @param about The docstring that says what a number is. */
  function toSchema(node: ts.TypeNode, about = ''): JsonSchema {
    if (ts.isParenthesizedTypeNode(node)) return toSchema(node.type, about)
    if (ts.isTypeOperatorNode(node)) return toSchema(node.type, about)
    if (ts.isArrayTypeNode(node)) return { type: 'array', items: toSchema(node.elementType, about) }
    if (ts.isTupleTypeNode(node)) {
      const [first] = node.elements.map((each) => toSchema(ts.isNamedTupleMember(each) ? each.type : each, about))
      return { type: 'array', items: first ?? {}, minItems: node.elements.length, maxItems: node.elements.length }
    }
    if (ts.isLiteralTypeNode(node))
      return toLiteral(node) === null ? { type: 'null' } : { const: toLiteral(node) as string }
    if (ts.isTypeLiteralNode(node)) return toObject(node)
    if (ts.isUnionTypeNode(node)) return toUnion(node, about)
    if (ts.isTypeReferenceNode(node)) return toNamed(node, about)
    switch (node.kind) {
      case ts.SyntaxKind.StringKeyword:
        return { type: 'string' }
      case ts.SyntaxKind.BooleanKeyword:
        return { type: 'boolean' }
      case ts.SyntaxKind.NumberKeyword:
        return { type: FRACTIONS.test(about) ? 'number' : 'integer' }
      case ts.SyntaxKind.ObjectKeyword:
        return { type: 'object' }
      case ts.SyntaxKind.UnknownKeyword:
        return {}
      default:
        return toEnum(node)
    }
  }

  function toUnion(node: ts.UnionTypeNode, about: string): JsonSchema {
    const types = node.types.filter(({ kind }) => kind !== ts.SyntaxKind.UndefinedKeyword)
    const literals = types.filter((each) => ts.isLiteralTypeNode(each) && toLiteral(each) !== null)
    const choices = types.filter((each) => !literals.includes(each)).map((each) => toSchema(each, about))
    if (literals.length > 0) choices.push({ type: 'string', enum: literals.map(toLiteral) as string[] })
    return choices.length === 1 ? (choices[0] ?? {}) : { oneOf: choices }
  }

  function toNamed(node: ts.TypeReferenceNode, about: string): JsonSchema {
    const name = node.typeName.getText()
    const own = KNOWN[name]
    if (own !== undefined) return own
    if (name === 'Readonly' && node.typeArguments?.[0] !== undefined) return toSchema(node.typeArguments[0], about)
    if (name === 'Record')
      return { type: 'object', additionalProperties: toSchema(node.typeArguments?.[1] as ts.TypeNode) }
    const symbol = checker.getSymbolAtLocation(node.typeName)
    const target = symbol && (symbol.flags & ts.SymbolFlags.Alias) !== 0 ? checker.getAliasedSymbol(symbol) : symbol
    const declaration = target?.declarations?.find(
      (each) => ts.isInterfaceDeclaration(each) || ts.isTypeAliasDeclaration(each),
    )
    if (declaration === undefined || node.typeArguments !== undefined) return toEnum(node)
    return toReference(declaration as ts.InterfaceDeclaration | ts.TypeAliasDeclaration)
  }

  function toReference(declaration: ts.InterfaceDeclaration | ts.TypeAliasDeclaration): JsonSchema {
    const own = declaration.name.text
    const name = NAMES[own] ?? own
    if (!(name in schemas)) {
      schemas[name] = {}
      const { text, tags } = readDoc(declaration)
      const examples = tags['example']?.filter((text) => text.startsWith('{')).map((text) => JSON.parse(text) as never)
      const schema = ts.isInterfaceDeclaration(declaration) ? toObject(declaration) : toSchema(declaration.type, text)
      schemas[name] = {
        ...(text !== '' && { description: text }),
        ...limit({ ...schema, ...toTagged(tags) }, known[name]),
        ...(examples !== undefined && { examples }),
      }
    }
    return { $ref: `#/components/schemas/${name}` }
  }

  function toObject(declaration: ts.InterfaceDeclaration | ts.TypeLiteralNode): JsonSchema {
    const members = new Map(
      declaration.members.filter(ts.isPropertySignature).map((each) => [(each.name as ts.Identifier).text, each]),
    )
    const required = Array.from(members).filter(([, { questionToken }]) => questionToken === undefined)
    const own: JsonSchema = {
      type: 'object',
      ...(required.length > 0 && { required: required.map(([name]) => name) }),
      properties: Object.fromEntries(Array.from(members, ([name, member]) => [name, toProperty(member)])),
    }
    const { heritageClauses = [] } = ts.isInterfaceDeclaration(declaration) ? declaration : {}
    const bases = heritageClauses.flatMap(({ types }) => types)
    if (bases.length === 0) return own
    const inherited = bases.map(toDeclaration)
    // A base that is the body of a route has a name in the document. Others only share properties.
    if (inherited.every(({ name }) => name.text in known)) return { allOf: [...inherited.map(toReference), own] }
    return inherited.map(toObject).reduce((sum, base) => join(base, sum), own)
  }

  /** The properties of an object's type, also those that it inherits. */
  function toMembers(node: ts.Node | undefined): Members {
    const properties = node === undefined ? [] : checker.getTypeAtLocation(node).getProperties()
    return new Map(
      properties.flatMap(({ name, declarations: [declaration] = [] }) =>
        declaration !== undefined && ts.isPropertySignature(declaration) ? [[name, declaration]] : [],
      ),
    )
  }

  /** The interface that a node extends. */
  function toDeclaration(base: ts.Node): ts.InterfaceDeclaration {
    return checker.getTypeAtLocation(base).symbol.declarations?.[0] as ts.InterfaceDeclaration
  }

  /** A type that is computed from others, such as a list's members. */
  function toEnum(node: ts.TypeNode): JsonSchema {
    const type = checker.getTypeAtLocation(node)
    const values = (type.isUnion() ? type.types : [type]).flatMap((each) =>
      each.isStringLiteral() ? [each.value] : [],
    )
    if (values.length === 0) throw new Error(`${node.getSourceFile().fileName}: ${node.getText()} has no JSON schema`)
    return { type: 'string', enum: values }
  }
}

/** The limits of the schema that parses a value, with the descriptions and names of its type. */
function limit(schema: JsonSchema, limits: JsonSchema | undefined): JsonSchema {
  if (limits === undefined || Object.keys(limits).length === 0 || schema.$ref !== undefined) return schema
  const { description: _, required: _required, items, properties: parsed = {}, ...more } = limits
  if (schema.properties !== undefined) {
    const properties = Object.entries(schema.properties).map(
      ([name, each]) => [name, limit(each as JsonSchema, parsed[name] as JsonSchema | undefined)] as const,
    )
    return { ...schema, ...more, properties: Object.fromEntries(properties) }
  }
  const members = schema.items && { items: limit(schema.items as JsonSchema, items as JsonSchema | undefined) }
  return { ...without(schema, more), ...more, ...members }
}

/** A choice and an enumeration exclude what the type says in other words. */
function without(schema: JsonSchema, more: JsonSchema): JsonSchema {
  return 'oneOf' in more || 'anyOf' in more
    ? { ...(schema.description !== undefined && { description: schema.description }) }
    : schema
}

function join(base: JsonSchema, own: JsonSchema): JsonSchema {
  const required = [...(base.required ?? []), ...(own.required ?? [])]
  return { ...own, ...(required.length > 0 && { required }), properties: { ...base.properties, ...own.properties } }
}

type Members = ReadonlyMap<string, ts.PropertySignature>

function toNumbers(node: ts.TypeNode | undefined): number[] {
  if (node === undefined) return []
  return (ts.isUnionTypeNode(node) ? Array.from(node.types) : [node]).map((each) => Number(each.getText()))
}

function toLiteral(node: ts.TypeNode | undefined): unknown {
  if (node === undefined || !ts.isLiteralTypeNode(node)) return undefined
  const { literal } = node
  if (ts.isStringLiteral(literal)) return literal.text
  if (literal.kind === ts.SyntaxKind.NullKeyword) return null
  return JSON.parse(literal.getText()) as unknown
}

function toTag({ name }: ts.InterfaceDeclaration): string {
  return name.text.replace(/Routes$/, '')
}

function toTagged(tags: Readonly<Record<string, readonly string[]>>): JsonSchema {
  const found = ['minimum', 'maximum', 'pattern', 'format'].flatMap((name) => {
    const [text] = tags[name] ?? []
    return text === undefined ? [] : [[name, /^\d+$/.test(text) ? Number(text) : text]]
  })
  return Object.fromEntries(found) as JsonSchema
}

function readDoc(node: ts.Node): { readonly text: string; readonly tags: Readonly<Record<string, readonly string[]>> } {
  const doc = ts.getJSDocCommentsAndTags(node).findLast(ts.isJSDoc)
  const tags: Record<string, string[]> = {}
  for (const { tagName, comment } of doc?.tags ?? []) {
    const texts = tags[tagName.text] ?? []
    tags[tagName.text] = [...texts, ts.getTextOfJSDocComment(comment) ?? '']
  }
  return { text: ts.getTextOfJSDocComment(doc?.comment) ?? '', tags }
}

function toJsonContent(schema: JsonSchema, examples: readonly (readonly [summary: string, value: unknown])[]): Json {
  const named = examples.map(([summary, value], index) => [
    `example${index + 1}`,
    { summary: summary.replace(/\.$/, ''), value },
  ])
  return { 'application/json': { schema, ...(named.length > 0 && { examples: Object.fromEntries(named) }) } }
}
