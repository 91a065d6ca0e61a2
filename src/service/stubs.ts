import * as v from 'valibot'
import { type BaseUrls, isBelow } from '../http/base-url.ts'
import { isJsonObject } from '../http/exact-json.ts'
import {
  CONTROL_PATH,
  createRouter,
  isControlPath,
  type PathParams,
  type RoutePattern,
  type Router,
} from '../http/router.ts'
import { boolean, must, object, oneOf, read, type Schema, string, whole } from '../http/schema.ts'
import { createResponse as createPlainResponse, isBodilessStatus, type WireResponse } from '../http/wire-response.ts'
import { UnwritableError } from '../http/write-exact-json.ts'
import { hasSpecifiedResponse, matchOperation } from '../operations/operations.ts'
import { createStubBody, isFilled } from './stub-body.ts'

/** The response to requests that the specification does not show. */
export interface Stub {
  /**
   * `GET` (also for `HEAD`), `POST`, `PUT`, `PATCH` or `DELETE`.
   * @default 'GET'
   */
  readonly method?: string
  /** Below the base path, as in the OpenAPI document: `/pets/{petId}`. A literal `/pets/7` is matched first. */
  readonly path: string
  /** @default 200 */
  readonly status?: number
  /** Headers of the response. They replace the mock's own, such as `Content-Type`. */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * Sent as exact JSON, or as it is if it is a string and `headers` has a `content-type` other than JSON. `{petId}` is
   * replaced by the parameter of the path. A string that is only `{petId}` becomes a number if the parameter is an integer.
   */
  readonly body?: unknown
  /**
   * Whether a request without a valid API key is a 401. The two operations that the specification names always need one.
   * @default true
   */
  readonly needsKey?: boolean
}

/** A validated stub. */
export type ParsedStub = Required<Omit<Stub, 'body'>> & Pick<Stub, 'body'>

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

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/**
 * Each segment is a name in braces, or text without the signs of other notations and of a query. URL parsing resolves `.`
 * and `..`, and makes a backslash a slash, so no request has them.
 */
const PATH = /^(?:\/(?:\{\w+\}|(?!:|\.{1,2}(?:\/|$))[^/{}*?#%\s\\]*))+$/

const HEADER_RECORD = v.record(
  v.pipe(
    v.string(),
    v.regex(
      /^(?!(?:content-length|transfer-encoding|connection)$)[\w!#$%&'*+.^`|~-]+$/i,
      must('a header name other than Content-Length, Transfer-Encoding and Connection'),
    ),
  ),
  // Service workers send other characters in another encoding.
  v.pipe(string, v.trim(), v.regex(/^[\t\x20-\x7e]*$/, must('a header value in ASCII'))),
  must('an object with headers'),
)

const HEADERS = v.pipe(
  v.custom<object>(isJsonObject, must('an object with headers')),
  v.check(
    (headers) => explainNames(headers) === undefined,
    ({ input }) => explainNames(input) ?? '',
  ),
  HEADER_RECORD,
)

const STUB: Schema<ParsedStub> = v.pipe(
  object<ParsedStub>({
    method: v.optional(oneOf(METHODS), 'GET'),
    path: v.pipe(
      string,
      v.regex(
        PATH,
        must(
          'a path such as /pets/7 or /pets/{petId}, without a query, a wildcard, percent-encoding, a backslash, . or ..',
        ),
      ),
    ),
    status: v.optional(whole(200, 599), 200),
    headers: v.optional(HEADERS, {}),
    body: v.optional(v.unknown()),
    needsKey: v.optional(boolean, true),
  }),
  v.check(
    ({ status, body }) => body === undefined || !isBodilessStatus(status),
    ({ input }) => `has a body, which a response with the status ${input.status} cannot have`,
  ),
)

/** The option `stubs`. @internal */
export const STUBS: Schema<readonly ParsedStub[]> = v.array(STUB, must('an array of stubs'))

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

/** Explains what is wrong with a set of header names. */
function explainNames(headers: object): string | undefined {
  const names = Object.keys(headers)
  // A record leaves these out silently.
  const unsafe = names.find((name) => ['__proto__', 'prototype', 'constructor'].includes(name))
  if (unsafe !== undefined) return `cannot have the header ${unsafe}`
  const same = Map.groupBy(names, (name) => name.toLowerCase())
  const several = [...same.values()].find(({ length }) => length > 1)
  return several && `has ${several.join(' and ')}, which are the same header`
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
function toRoute({ method, path, status, body, needsKey, headers }: ParsedStub, name: string): StubRoute | string {
  const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const filled = Object.entries(headers).find(([, value]) => isFilled(value, path))
  if (filled !== undefined) {
    return `${name}: ${method} ${path} has ${filled[1]} in the header ${filled[0]}. Parameters of the path are replaced in the body only.`
  }
  const type = given['content-type'] ?? (body === undefined ? undefined : 'application/json')
  const own = type === undefined ? {} : { 'content-type': type }
  try {
    const write = createStubBody(body, { path, type, name })
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
