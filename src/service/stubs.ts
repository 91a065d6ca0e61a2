import * as v from 'valibot'
import { type BaseUrls, isBelow } from '../http/base-url.ts'
import { UnwritableError } from '../http/exact-json.ts'
import { createRouter, type RoutePattern, type Router } from '../http/router.ts'
import { boolean, must, object, oneOf, type Schema, whole } from '../http/schema.ts'
import type { WireResponse } from '../http/wire-response.ts'
import { hasSpecifiedResponse, matchOperation } from '../operations/operations.ts'
import { checkWith, METHODS, PATH } from '../sandbox/condition.ts'
import { createRuleResponse, explainBody, HEADERS, writeBody } from '../sandbox/rule-response.ts'

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
   * Sent as exact JSON, or as it is if it is a string and `headers` has a `content-type` other than JSON. For a body that
   * depends on the request, use a handler.
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
  readonly createResponse: () => WireResponse
}

/** Finds the stub of a method and a path below the base path. */
export type FindStub = (method: string, path: string | undefined) => StubRoute | undefined

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
    const first = stubs.findIndex(({ method, path }) => method === stub.method && path === stub.path)
    const problem = first < index ? `is the route of stubs[${first}] already` : explainStub(stub, bases)
    if (problem !== undefined) throw refuse(`stubs[${index}]: ${stub.method} ${stub.path} ${problem}.`)
    try {
      return toRoute(stub, `stubs[${index}].body`)
    } catch (cause) {
      throw cause instanceof UnwritableError ? refuse(`${cause.message}.`) : cause
    }
  })
  // One for each method: where only another method has the literal path, the template of this one still matches.
  const routers = new Map<string, Router<StubRoute>>(
    METHODS.map((method) => [method, createRouter(routes.filter((route) => route.method === method))]),
  )
  return (method, path) => {
    // A template such as /{name} also matches paths of the specification.
    if (hasSpecifiedResponse(method, path)) return undefined
    const match = routers.get(method === 'HEAD' ? 'GET' : method)?.(method, path)
    return match?.kind === 'found' ? match.route : undefined
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
function toRoute(stub: ParsedStub, path: string): StubRoute {
  const { status, headers, body } = stub
  const text = body === undefined ? undefined : writeBody(body, { headers, path })
  return { ...stub, createResponse: () => createRuleResponse({ status, headers, text }) }
}
