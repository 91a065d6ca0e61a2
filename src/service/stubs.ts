import * as v from 'valibot'
import { type BaseUrls, isBelow } from '../http/base-url.ts'
import { UnwritableError } from '../http/exact-json.ts'
import { createRouter, type PathParams, type RoutePattern, type Router } from '../http/router.ts'
import { boolean, must, object, oneOf, type Schema, whole } from '../http/schema.ts'
import type { WireResponse } from '../http/wire-response.ts'
import { hasSpecifiedResponse, matchOperation } from '../operations/operations.ts'
import { checkWith, METHODS, PATH } from '../sandbox/condition.ts'
import { createRuleResponse, explainBody, HEADERS, isText, writeBody } from '../sandbox/rule-response.ts'

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
   * Sent as exact JSON, where `{petId}` is replaced by the parameter of the path, and a string that is only `{petId}`
   * becomes a number if the parameter is an integer. Sent as it is if it is a string and `headers` has a `content-type`
   * other than JSON.
   */
  readonly body?: unknown
  /**
   * Whether a request without a valid API key is a 401. The two operations that the specification names always need one.
   * @default true
   */
  readonly needsKey?: boolean
}

export type ParsedStub = Required<Omit<Stub, 'body'>> & Pick<Stub, 'body'>

/** The option `stubs`. @internal */
export const STUBS: Schema<readonly ParsedStub[]> = v.array(
  v.pipe(
    object<ParsedStub>({
      method: v.optional(oneOf(METHODS), 'GET'),
      path: PATH,
      status: v.optional(whole(200, 599), 200),
      headers: v.optional(HEADERS, {}),
      body: v.optional(v.unknown()),
      needsKey: v.optional(boolean, true),
    }),
    checkWith<ParsedStub>(explainBody),
  ),
  must('an array of stubs'),
)

interface StubRoute extends RoutePattern {
  readonly needsKey: boolean
  readonly createResponse: (params: PathParams) => WireResponse
}

/** Finds the stub of a method and a path below the base path. */
export type FindStub = (
  method: string,
  path: string,
) => { readonly needsKey: boolean; readonly createResponse: () => WireResponse } | undefined

/**
 * Creates the lookup of stubs; `undefined` without stubs.
 * @param refuse Creates the error for a stub that cannot be used below these base paths.
 */
export function createStubs(
  stubs: readonly ParsedStub[],
  { bases, refuse }: { readonly bases: BaseUrls; readonly refuse: (sentence: string) => Error },
): FindStub | undefined {
  if (stubs.length === 0) return undefined
  const routes = stubs.map((stub, index) => {
    const problem = explainStub(stub, bases)
    if (problem !== undefined) throw refuse(`stubs[${index}]: ${stub.method} ${stub.path} ${problem}.`)
    try {
      return toRoute(stub, `stubs[${index}].body`)
    } catch (cause) {
      throw cause instanceof UnwritableError ? refuse(`${cause.message}.`) : cause
    }
  })
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

/** The rest of a sentence that begins with the stub's method and path. */
function explainStub({ method, path, needsKey }: ParsedStub, bases: BaseUrls): string | undefined {
  if (hasSpecifiedResponse(method, path))
    return 'cannot have a stub, because the specification defines the methods of this path and their responses'
  const base = bases.find((each) => each.path !== '' && isBelow([each], path))
  if (base !== undefined) return `has the base path ${base.path}. Leave it out: ${path.slice(base.path.length)}`
  const isOperation = matchOperation(method, path).kind === 'found'
  return isOperation && !needsKey ? 'always needs a key, as the specification says. Leave out needsKey' : undefined
}

/** @throws {UnwritableError} for a body that cannot be sent. */
function toRoute(stub: ParsedStub, bodyName: string): StubRoute {
  const { path, status, headers, body } = stub
  const send = (text?: string): WireResponse => createRuleResponse({ status, headers, text })
  const text = body === undefined ? undefined : writeBody(body, { headers, path: bodyName })
  const parameters = Array.from(path.matchAll(PARAMETER), ([parameter]) => parameter)
  // A stub for one path may send `{name}` as it is. Beside parameters, it is a mistake.
  if (text === undefined || parameters.length === 0 || isText(body, headers))
    return { ...stub, createResponse: () => send(text) }
  const unknown = text.match(WHOLE_STRING)?.find((each) => !parameters.includes(each.slice(1, -1)))
  if (unknown !== undefined)
    throw new UnwritableError(`${bodyName} has ${unknown}, but the parameters of ${path} are ${parameters.join(', ')}`)
  return { ...stub, createResponse: (params) => send(fillJson(text, params)) }
}

const PARAMETER = /\{(\w+)\}/g
/** A string of a JSON text that is only a parameter, and not the name of a member. A quote within a string is escaped. */
const WHOLE_STRING = /(?<!\\)"\{\w+\}"(?!:)/g
const INTEGER = /^"(?:0|-?[1-9]\d*)"$/

/** A string that is only a parameter becomes a number if the parameter is an integer. In JSON, only strings have `{name}`. */
function fillJson(json: string, params: PathParams): string {
  const values = new Map(Object.entries(params).map(([name, value]) => [name, JSON.stringify(value).slice(1, -1)]))
  const fill = (text: string): string => text.replaceAll(PARAMETER, (match, name: string) => values.get(name) ?? match)
  return fill(
    json.replaceAll(WHOLE_STRING, (text) => {
      const filled = fill(text)
      return INTEGER.test(filled) ? filled.slice(1, -1) : text
    }),
  )
}
