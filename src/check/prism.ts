import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { SPECIFICATION_JSON } from '../contract/document.gen.ts'
import { MockError } from '../http/mock-error.ts'
import { isPetKey } from '../inventory/pet.ts'
import type { ContractOperation, OperationId } from '../operations/operation.ts'

// Everything about Prism, which judges the schemas, is in this file.

/** The parts of a response that are judged. */
export interface JudgedAnswer {
  readonly operation: ContractOperation
  readonly status: number
  readonly contentType: string | undefined
  readonly body: Uint8Array
}

/** A violation of the specification, in the format of Prism's header `sl-violations`. */
export interface SlViolation {
  /** The path: `response`, followed for example by `body`, `0`, `quantity`. */
  readonly location: readonly string[]
  readonly severity: 'Error' | 'Warning' | 'Information' | 'Hint'
  /** The violated schema keyword, if any. */
  readonly code?: string | number
  /** A sentence without the full stop. */
  readonly message: string
}

/** Returns how a response violates the specification. */
export type Judge = (answer: JudgedAnswer) => readonly SlViolation[]

const SEVERITIES = ['Error', 'Warning', 'Information', 'Hint'] as const

/** What is used of Prism. */
export interface Prism {
  /** https://github.com/stoplightio/prism/blob/master/packages/http/src/utils/operations.ts */
  getHttpOperationsFromSpec(document: unknown): Promise<readonly PrismOperation[]>
  /** https://github.com/stoplightio/prism/blob/master/packages/http/src/validator/index.ts */
  validateOutput(options: {
    resource: PrismOperation
    element: { statusCode: number; headers: Readonly<Record<string, string>>; body: unknown }
  }): { readonly _tag: 'Right' } | { readonly _tag: 'Left'; readonly left: readonly PrismDiagnostic[] }
}

type PrismOperation = { readonly iid?: string; readonly method: string; readonly path: string }

interface PrismDiagnostic {
  readonly path?: readonly string[]
  readonly code?: string | number
  readonly message: string
  readonly severity: number
}

/**
 * Loads a judge: Prism's validator of responses, in this process.
 *
 * Prism's proxy is not between client and service, because it would change what clients see: it hangs on a request whose
 * body is not JSON, crashes on a path like `/%`, writes `5.0` as `5`, rounds ids beyond ±(2^53−1), and follows redirects.
 * Requests are not judged, because tests send invalid ones on purpose.
 * @throws {MockError} `CHECK_UNAVAILABLE` if Prism is not installed, needs a newer Node, or is of another make.
 */
export async function loadJudge(options: FindPrismOptions = {}): Promise<Judge> {
  const { getHttpOperationsFromSpec, validateOutput } = loadPrism(options)
  const resources = await getHttpOperationsFromSpec(JSON.parse(SPECIFICATION_JSON['3.1']))
  const byId = new Map(resources.map((resource) => [resource.iid, resource]))
  const askPrism = (id: OperationId, statusCode: number, body: unknown): readonly SlViolation[] => {
    const element = { statusCode, headers: { 'content-type': 'application/json' }, body }
    const result = validateOutput({ resource: byId.get(id) as PrismOperation, element })
    return result._tag === 'Left' ? result.left.map(toViolation) : []
  }
  return (answer) => {
    const envelope = findEnvelopeViolation(answer)
    if (envelope !== undefined) return [envelope]
    const { operation, status, body } = answer
    // What the specification does not show of an operation cannot be judged.
    if (!isListed(answer)) return []
    let json: unknown
    try {
      json = parseForPrism(body)
    } catch (error) {
      return [createSlViolation(['body'], `Response body cannot be read as JSON: ${(error as Error).message}`)]
    }
    const violations = askPrism(operation.id, status, json)
    return violations.length > 0 || status < 400 ? violations : findErrorViolations(json, status)
  }
}

function toViolation({ path = [], message, severity, code }: PrismDiagnostic): SlViolation {
  const violation = createSlViolation(path, message)
  return { ...violation, severity: SEVERITIES[severity] ?? 'Error', ...(code !== undefined && { code }) }
}

/** Creates a violation that Prism does not report. */
export function createSlViolation(location: readonly string[], message: string): SlViolation {
  return { location: ['response', ...location], severity: 'Error', message }
}

/** Whether the specification lists the status for the operation. */
function isListed({ operation, status }: JudgedAnswer): boolean {
  return (operation.statuses as readonly number[]).includes(status)
}

/**
 * Violations that Prism cannot judge: a status that the specification does not list, and a media type other than
 * `application/json` (it throws for a malformed one, and accepts any type with the suffix `+json`).
 */
function findEnvelopeViolation(answer: JudgedAnswer): SlViolation | undefined {
  const { operation, status, contentType } = answer
  if (!isListed(answer)) {
    if (!operation.specified) return undefined
    const listed = operation.statuses.join(', ')
    return createSlViolation(
      [],
      `The status ${status} is not listed in the specification for ${operation.id}: ${listed}`,
    )
  }
  const [essence = ''] = (contentType ?? '').split(';')
  if (essence.trim().toLowerCase() === 'application/json') return undefined
  const got = contentType === undefined ? 'is missing' : `is ${JSON.stringify(contentType)}`
  return createSlViolation(['header', 'content-type'], `The Content-Type ${got} and must be application/json`)
}

/** A rule that the schema of an Error object cannot express: its `status` repeats the HTTP status. */
function findErrorViolations(json: unknown, status: number): readonly SlViolation[] {
  const error = json as { readonly status: unknown }
  if (error.status === status) return []
  const sentence = `Response body property status must repeat the HTTP status ${status}, got ${error.status}`
  return [createSlViolation(['body', 'status'], sentence)]
}

type Reviver = (key: string, value: unknown, context?: { readonly source?: string }) => unknown

/** JSON is UTF-8 (RFC 8259, section 8.1), without the byte order mark, which is kept here so that it is found. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** @throws {Error} if the body is not JSON in UTF-8. */
function parseForPrism(body: Uint8Array): unknown {
  let text: string
  try {
    text = utf8.decode(body)
  } catch {
    throw new Error('it is not UTF-8')
  }
  return JSON.parse(text, /\d{16}/.test(text) ? (toNearest as Parameters<typeof JSON.parse>[1]) : undefined)
}

/** Prism reports every petId beyond ±(2^53−1): an int64 is replaced by the nearest one that Prism accepts. */
const toNearest: Reviver = (key, value, context) => {
  if (key !== 'petId' || typeof value !== 'number' || Number.isSafeInteger(value)) return value
  return isPetKey(context?.source ?? '') ? Math.sign(value) * Number.MAX_SAFE_INTEGER : value
}

/** Where to look for Prism. */
interface FindPrismOptions {
  /** Resolves the path of `@stoplight/prism-cli/package.json`; throws if there is none. */
  readonly resolve?: (specifier: string) => string
  /** @default process.versions.node */
  readonly nodeVersion?: string
}

const PACKAGE = '@stoplight/prism-cli'

/** Prism is installed by users: it is ten times as large as this package, and only checks need it. */
export function loadPrism({
  resolve = resolveManifest,
  nodeVersion = process.versions.node,
}: FindPrismOptions = {}): Prism {
  const path = tryResolve(resolve)
  const { version, engines } = JSON.parse(readFileSync(path, 'utf8')) as {
    version: string
    engines?: { node?: string }
  }
  const needed = /^>=\s*(\d+(?:\.\d+)*)$/.exec(engines?.node ?? '')?.[1]
  if (needed !== undefined && nodeVersion.localeCompare(needed, 'en', { numeric: true }) < 0) {
    throw new MockError(
      'CHECK_UNAVAILABLE',
      `Failed to start Prism: Prism ${version} needs Node ${needed} or newer, and this is Node ${nodeVersion}. Run it with a newer Node, for example one of the project's own: npm install --save-dev node@24 ${PACKAGE}`,
    )
  }
  try {
    // Its main module loads the mocker with faker too, which takes a second.
    const require = createRequire(createRequire(path).resolve('@stoplight/prism-http/package.json'))
    return { ...require('./dist/utils/operations.js'), ...require('./dist/validator/index.js') } as Prism
  } catch (cause) {
    throw new MockError('CHECK_UNAVAILABLE', `Failed to load Prism ${version}: ${(cause as Error).message}`, { cause })
  }
}

function tryResolve(resolve: (specifier: string) => string): string {
  try {
    return resolve(`${PACKAGE}/package.json`)
  } catch (cause) {
    const sentence = `Failed to start Prism: ${PACKAGE} is not installed. Run: npm install --save-dev ${PACKAGE}`
    throw new MockError('CHECK_UNAVAILABLE', sentence, { cause })
  }
}

/** Looks beside this package and in the current project, because `npx` runs a package from another folder. */
function resolveManifest(specifier: string): string {
  try {
    return createRequire(import.meta.url).resolve(specifier)
  } catch {
    return createRequire(join(process.cwd(), 'package.json')).resolve(specifier)
  }
}
