import { createRequire } from 'node:module'
import { join } from 'node:path'
import { SPECIFICATION_JSON } from '../contract/document.gen.ts'
import { MockError } from '../http/mock-error.ts'
import { isPetKey } from '../inventory/pet.ts'
import type { ContractOperation } from '../operations/operations.ts'
import { type Finding, fail } from './report.ts'

// Everything about Prism, which judges the schemas, is in this file.

/** Returns how a response violates the specification. */
export type Judge = (answer: {
  readonly operation: ContractOperation
  readonly status: number
  readonly headers: Headers
  readonly body: Uint8Array
  /** Why the body could not be read, if so. */
  readonly flaw?: string | undefined
}) => readonly Finding[]

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
  /** Followed for example by `body`, `0`, `quantity`. */
  readonly path?: readonly string[]
  /** The violated schema keyword, if any. */
  readonly code?: string | number
  /** A sentence without the full stop. */
  readonly message: string
}

/**
 * Loads a judge: Prism's validator of responses, in this process.
 *
 * Prism's proxy is not between client and service, because it would change what clients see: it hangs on a request whose
 * body is not JSON, crashes on a path like `/%`, writes `5.0` as `5`, rounds ids beyond ±(2^53−1), and follows redirects.
 * Requests are not judged, because tests send invalid ones on purpose.
 * @throws {MockError} `CHECK_UNAVAILABLE` if Prism is not installed, or cannot be loaded.
 */
export async function loadJudge(): Promise<Judge> {
  const { getHttpOperationsFromSpec, validateOutput } = loadPrism()
  const resources = await getHttpOperationsFromSpec(JSON.parse(SPECIFICATION_JSON['3.1']))
  return ({ operation, status, headers, body, flaw }) => {
    if (!(operation.statuses as readonly number[]).includes(status)) {
      // What the specification does not show of an operation cannot be judged.
      if (!operation.specified) return []
      const listed = `${operation.id}: ${operation.statuses.join(', ')}`
      return [fail(`${status}`, `The status ${status} is not listed in the specification for ${listed}`)]
    }
    const contentType = headers.get('content-type')
    // Prism throws for a malformed media type, and accepts any with the suffix `+json`.
    if (!/^\s*application\/json\s*(?:;|$)/i.test(contentType ?? '')) {
      const got = contentType === null ? 'is missing' : `is ${JSON.stringify(contentType)}`
      return [fail(`${status} content-type`, `The Content-Type ${got} and must be application/json`)]
    }
    let json: unknown
    try {
      if (flaw !== undefined) throw new Error(flaw)
      const text = utf8.decode(body)
      json = JSON.parse(text, /\d{16}/.test(text) ? toNearest : undefined)
    } catch (error) {
      const encoding = headers.get('content-encoding')
      const subject = encoding === null ? 'Response body' : `Response body (Content-Encoding: ${encoding})`
      return [fail(`${status} body`, `${subject} cannot be read as JSON: ${(error as Error).message}`)]
    }
    const resource = resources.find(({ iid }) => iid === operation.id) as PrismOperation
    const element = { statusCode: status, headers: { 'content-type': 'application/json' }, body: json }
    const result = validateOutput({ resource, element })
    if (result._tag === 'Left')
      return result.left.map(({ path = [], code = '', message }) => {
        const cause = `${status} ${path.filter((part) => !/^\d+$/.test(part)).join('.')} ${code}`
        return fail(cause, message.replace(END_OF_INT64, INT64))
      })
    // The schema of an Error object cannot say that its status repeats the HTTP status.
    const { status: repeated } = (json ?? {}) as { readonly status?: unknown }
    const sentence = `Response body property status must repeat the HTTP status ${status}, got ${repeated}`
    return status < 400 || repeated === status ? [] : [fail(`${status} repeated`, sentence)]
  }
}

/** JSON is UTF-8 (RFC 8259, section 8.1), without the byte order mark, which is kept here so that it is found. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Prism reports every petId beyond ±(2^53−1): an int64 is replaced by the nearest one that Prism accepts. */
function toNearest(key: string, value: unknown, { source = '' }: { readonly source?: string } = {}): unknown {
  if (key !== 'petId' || typeof value !== 'number' || Number.isSafeInteger(value)) return value
  return isPetKey(source) ? Math.sign(value) * Number.MAX_SAFE_INTEGER : value
}

/** For Prism, int64 ends where numbers are no longer exact. */
const END_OF_INT64 = /(?<=petId must be )[<>]= -?\d+$/
const INT64 = 'from -9223372036854775808 to 9223372036854775807'

const PACKAGE = '@stoplight/prism-cli'
/** The version in `peerDependencies`. Files of a package below it are loaded, which another version may have moved. */
const INSTALL = `npm install --save-dev ${PACKAGE}@5.16`

/**
 * Prism is installed by users: it is ten times as large as this package, and only checks need it.
 * @param files The files whose folders may have it. By default this one, and the current project's, because `npx` runs
 * elsewhere.
 */
export function loadPrism(files: readonly string[] = [import.meta.url, join(process.cwd(), 'package.json')]): Prism {
  const path = findManifest(files)
  try {
    // Its main module loads the mocker with faker too, which takes a second.
    const require = createRequire(createRequire(path).resolve('@stoplight/prism-http/package.json'))
    return { ...require('./dist/utils/operations.js'), ...require('./dist/validator/index.js') } as Prism
  } catch (cause) {
    const [reason] = (cause as Error).message.split('\n')
    const sentence = `Failed to load ${PACKAGE} in Node ${process.versions.node}: ${reason}. Install the version that was tried: ${INSTALL}`
    throw new MockError('CHECK_UNAVAILABLE', sentence, { cause })
  }
}

function findManifest(files: readonly string[]): string {
  for (const file of files) {
    try {
      return createRequire(file).resolve(`${PACKAGE}/package.json`)
    } catch {}
  }
  const sentence = `Failed to start Prism: ${PACKAGE} is not installed. Run: ${INSTALL}`
  throw new MockError('CHECK_UNAVAILABLE', sentence)
}
