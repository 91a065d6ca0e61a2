import type { PathParams } from '../http/router.ts'
import { UnwritableError, writeExactJson } from '../http/write-exact-json.ts'

interface StubBodyOptions {
  /** The stub's path, whose parameters the body may name: `/pets/{petId}`. */
  readonly path: string
  /** The response's content type. */
  readonly type: string | undefined
  /** The stub in messages: `stubs[0]`. */
  readonly name: string
}

/**
 * Creates the function that writes a stub's body for the parameters of one request.
 * @throws {UnwritableError} for a value that JSON cannot represent, and for a name that is no parameter of the path.
 */
export function createStubBody(body: unknown, options: StubBodyOptions): (params: PathParams) => string {
  const { name, type = '' } = options
  if (body === undefined) return () => ''
  if (typeof body === 'string' && !JSON_TYPE.test(type)) {
    return (params) => body.replaceAll(PARAMETER, (match, parameter: string) => find(params, parameter) ?? match)
  }
  const json = writeExactJson(body, { path: `${name}.body`, isStrict: true })
  assertKnownParameters(json, options)
  return (params) => fillJson(json, params)
}

/** Whether a text names a parameter of the path, which is replaced in bodies. */
export function isFilled(text: string, path: string): boolean {
  return Array.from(text.matchAll(PARAMETER)).some(([parameter]) => path.includes(parameter))
}

const JSON_TYPE = /^application\/(?:.+\+)?json\b/i
const PARAMETER = /\{(\w+)\}/g
/** A whole string, but neither the end of a longer one nor a member's name; or a part of a string. */
const JSON_PARAMETER = /(?<!\\)"\{(\w+)\}"(?!:)|\{(\w+)\}/g
const INTEGER = /^(?:0|-?[1-9]\d*)$/

/** In JSON, a brace is followed by a letter only within a string. */
function fillJson(json: string, params: PathParams): string {
  return json.replaceAll(JSON_PARAMETER, (match, whole: string | undefined, part: string | undefined) => {
    const value = find(params, whole ?? part ?? '')
    if (value === undefined) return match
    if (whole !== undefined) return INTEGER.test(value) ? value : JSON.stringify(value)
    return JSON.stringify(value).slice(1, -1)
  })
}

/** `{constructor}` is no parameter. */
function find(params: PathParams, name: string): string | undefined {
  return Object.hasOwn(params, name) ? params[name] : undefined
}

/** A stub for one path may send `{name}` as it is. Beside parameters, it is a mistake. */
function assertKnownParameters(json: string, { path, name }: StubBodyOptions): void {
  const parameters = path.match(PARAMETER)
  if (parameters === null) return
  const [unknown] = Array.from(json.matchAll(JSON_PARAMETER))
    .map(([, whole]) => `{${whole}}`)
    .filter((each) => each !== '{undefined}' && !parameters.includes(each))
  if (unknown !== undefined)
    throw new UnwritableError(`${name}.body has ${unknown}, but the parameters of ${path} are ${parameters.join(', ')}`)
  const unquoted = parameters.find((each) => json.slice(1).includes(`{"${each.slice(1, -1)}":null}`))
  if (unquoted !== undefined)
    throw new UnwritableError(
      `${name}.body has ${unquoted} without quotes, which is an object in YAML. Write '${unquoted}'`,
    )
}
