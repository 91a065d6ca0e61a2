import { type BaseUrls, isBelow } from '../http/base-url.ts'
import { isJsonObject, isPlain, UnwritableError, writeExactJson } from '../http/exact-json.ts'
import {
  CONTROL_PATH,
  createRouter,
  isControlPath,
  type PathParams,
  type RoutePattern,
  type Router,
} from '../http/router.ts'
import { read } from '../http/schema.ts'
import { createResponse as createPlainResponse, type WireResponse } from '../http/wire-response.ts'
import { hasSpecifiedResponse, matchOperation } from '../operations/operations.ts'
import { METHODS } from '../sandbox/request-condition.ts'
import { type ParsedStub, STUB } from './stub.ts'

interface StubRoute extends RoutePattern {
  readonly needsKey: boolean
  readonly createResponse: (params: PathParams) => WireResponse
}

/** The stub for a request. */
export interface FoundStub {
  readonly needsKey: boolean
  readonly createResponse: () => WireResponse
}

/** Finds the stub of a method and a path below the base path. */
export type FindStub = (method: string, path: string) => FoundStub | undefined

/**
 * Creates the lookup of stubs; `undefined` without stubs.
 * @param refuse Creates the error for a stub that cannot be used.
 */
export function createStubs(
  stubs: readonly ParsedStub[],
  { bases, refuse }: { readonly bases: BaseUrls; readonly refuse: (sentence: string) => Error },
): FindStub | undefined {
  const { routes, problems } = toRoutes(stubs, bases)
  if (problems[0] !== undefined) throw refuse(problems[0])
  if (routes.length === 0) return undefined
  const routers = new Map<string, Router<StubRoute>>(
    METHODS.map((method) => [method, createRouter(routes.filter((route) => route.method === method))]),
  )
  return (method, path) => {
    // A template such as /{name} also matches paths of the specification.
    if (hasSpecifiedResponse(method, path)) return undefined
    const match = routers.get(method === 'HEAD' ? 'GET' : method)?.(method, path)
    if (match?.kind !== 'found') return undefined
    const { route, params } = match
    return { needsKey: route.needsKey, createResponse: () => route.createResponse(params) }
  }
}

/** Lists why stubs that are valid in themselves cannot be used together or below these base paths. */
export function listStubProblems(stubs: readonly unknown[], bases: BaseUrls): readonly string[] {
  const valid = stubs.map((stub) => {
    const reading = read(STUB, stub)
    return reading.problems === undefined ? reading.output : undefined
  })
  return toRoutes(valid, bases).problems
}

/** The `Allow` of a path: the methods of the contract, and those that have a stub. */
export function addStubMethods(
  allow: string,
  { findStub, path }: { findStub: FindStub | undefined; path: string },
): string {
  const stubbed = METHODS.filter((method) => findStub?.(method, path) !== undefined)
  const methods = stubbed.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : method))
  return [...new Set([...allow.split(', '), ...methods])].filter((method) => method !== '').join(', ')
}

/** The rest of a sentence that begins with the stub's method and path. */
function explainProblem({ method, path, needsKey }: ParsedStub, bases: BaseUrls): string | undefined {
  if (hasSpecifiedResponse(method, path))
    return 'cannot have a stub, because the specification defines the methods of this path and their responses'
  if (bases.every((each) => each.path === '') && isControlPath(path))
    return `cannot have a stub, because ${CONTROL_PATH} is reserved for the control API`
  const base = bases.find((each) => each.path !== '' && isBelow([each], path))
  if (base !== undefined) return `has the base path ${base.path}. Leave it out: ${path.slice(base.path.length)}`
  const isOperation = matchOperation(method, path).kind === 'found'
  return isOperation && !needsKey ? 'always needs a key, as the specification says. Leave out needsKey' : undefined
}

/** @param stubs `undefined` for an invalid one, which other checks report. */
function toRoutes(
  stubs: readonly (ParsedStub | undefined)[],
  bases: BaseUrls,
): { readonly routes: readonly StubRoute[]; readonly problems: readonly string[] } {
  const firsts = new Map<string, string>()
  const routes: StubRoute[] = []
  const problems: string[] = []
  for (const [index, stub] of stubs.entries()) {
    if (stub === undefined) continue
    const name = `stubs[${index}]`
    const key = `${stub.method} ${stub.path.replaceAll(/\{\w+\}/g, '{}')}`
    const problem = firsts.has(key) ? `has a stub already: ${firsts.get(key)}` : explainProblem(stub, bases)
    if (!firsts.has(key)) firsts.set(key, name)
    const route = problem === undefined ? toRoute(stub, name) : `${name}: ${stub.method} ${stub.path} ${problem}.`
    if (typeof route === 'string') problems.push(route)
    else routes.push(route)
  }
  return { routes, problems }
}

/** @returns A sentence if the response cannot be sent. */
function toRoute(stub: ParsedStub, name: string): StubRoute | string {
  const { method, path, status, body, needsKey, headers } = stub
  const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const parameters = listParameters(path)
  const filled = Object.entries(headers).find(([, value]) =>
    listParameters(value).some((each) => parameters.includes(each)),
  )
  if (filled !== undefined) {
    return `${name}: ${method} ${path} has ${filled[1]} in the header ${filled[0]}. Parameters of the path are replaced in the body only.`
  }
  const type = given['content-type'] ?? (body === undefined ? undefined : 'application/json')
  const own = type === undefined ? {} : { 'content-type': type }
  try {
    const write = createBody(stub, { type, name })
    const fill = (params: PathParams): WireResponse => {
      const response = createPlainResponse(status, write(params), own)
      return { ...response, headers: { ...response.headers, ...given } }
    }
    const fixed = path.includes('{') ? undefined : fill({})
    return { method, path, needsKey, createResponse: (params) => fixed ?? fill(params) }
  } catch (cause) {
    if (cause instanceof UnwritableError) return `${cause.message}.`
    throw cause
  }
}

/**
 * Creates the function that writes a stub's body for the parameters of one request.
 * @param name The stub in messages: `stubs[0]`.
 * @throws {UnwritableError} for a value that JSON cannot represent, and for a name that is no parameter of the path.
 */
function createBody(
  { body, path }: ParsedStub,
  { type = '', name }: { type: string | undefined; name: string },
): WriteBody {
  if (body === undefined) return () => ''
  if (typeof body === 'string' && !JSON_TYPE.test(type)) return (params) => fillText(body, params)
  const json = writeExactJson(body, { path: `${name}.body`, isStrict: true })
  const parameters = listParameters(path)
  // A stub for one path may send `{name}` as it is. Beside parameters, it is a mistake.
  if (parameters.length === 0) return () => json
  assertKnownParameters(body, { path, parameters, name })
  return (params) => writeExactJson(fillValue(body, params))
}

type WriteBody = (params: PathParams) => string

const JSON_TYPE = /^application\/(?:.+\+)?json\b/i
const PARAMETER = /\{(\w+)\}/g
/** A text that is only a parameter. */
const WHOLE = /^\{(\w+)\}$/
const INTEGER = /^(?:0|-?[1-9]\d*)$/

function listParameters(text: string): string[] {
  return Array.from(text.matchAll(PARAMETER), ([, name = '']) => name)
}

/** `{constructor}` is no parameter. */
function fillText(text: string, params: PathParams): string {
  return text.replaceAll(PARAMETER, (match, name: string) =>
    Object.hasOwn(params, name) ? (params[name] ?? '') : match,
  )
}

/** A string that is only a parameter becomes a number if the parameter is an integer. */
function fillValue(value: unknown, params: PathParams): unknown {
  if (typeof value === 'string') {
    const filled = fillText(value, params)
    return filled !== value && WHOLE.test(value) && INTEGER.test(filled) ? BigInt(filled) : filled
  }
  if (Array.isArray(value)) return value.map((each) => fillValue(each, params))
  if (!isPlainObject(value)) return value
  const members = Object.entries(value).map(
    ([name, each]) => [fillText(name, params), fillValue(each, params)] as const,
  )
  return Object.fromEntries(members)
}

function assertKnownParameters(
  value: unknown,
  where: { readonly path: string; readonly parameters: readonly string[]; readonly name: string },
): void {
  const { path, parameters, name } = where
  const [, unknown] = typeof value === 'string' ? (WHOLE.exec(value) ?? []) : []
  if (unknown !== undefined && !parameters.includes(unknown)) {
    const known = parameters.map((each) => `{${each}}`).join(', ')
    throw new UnwritableError(`${name}.body has {${unknown}}, but the parameters of ${path} are ${known}`)
  }
  if (typeof value !== 'object' || value === null) return
  for (const each of Object.values(value)) {
    const unquoted = parameters.find((parameter) => isUnquoted(each, parameter))
    if (unquoted !== undefined)
      throw new UnwritableError(
        `${name}.body has {${unquoted}} without quotes, which is an object in YAML. Write '{${unquoted}}'`,
      )
    assertKnownParameters(each, where)
  }
}

function isUnquoted(value: unknown, parameter: string): boolean {
  return isPlainObject(value) && Object.keys(value).length === 1 && value[parameter] === null
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return isJsonObject(value) && isPlain(value)
}
