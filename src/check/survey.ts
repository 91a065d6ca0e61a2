import { toBaseUrls } from '../http/base-url.ts'
import { hideInAddress } from '../http/hide-credentials.ts'
import { MockError } from '../http/mock-error.ts'
import { cut } from '../http/quote.ts'
import { CaseEnd } from './report.ts'
import { type CheckedService, type CheckResponse, createSession, LIST } from './service.ts'
import { type ListedPet, parsePets } from './stock.ts'

/** The service with its base path, and its stock before the first case. */
interface Survey {
  readonly service: CheckedService
  readonly list: CheckResponse
  /** Empty if the list could not be read. */
  readonly pets: readonly ListedPet[]
}

/**
 * Finds the inventory below a URL.
 * @throws {MockError} `CHECK_FAILED` if the service cannot be reached, rejects the key, or has no inventory at this URL;
 * `INVALID_OPTION` for an invalid URL.
 */
export async function surveyService(
  { url: given, ...options }: CheckedService,
  { timeout }: { timeout: AbortSignal },
): Promise<Survey> {
  const bases = parseBases(given)
  for (const url of bases) {
    const service = { ...options, url }
    const session = createSession(service, { timeout, isNew: true })
    const list = await session.send(LIST).catch((error: unknown) => {
      if (!(error instanceof CaseEnd)) throw error
      const advice = 'Check that the service is running, and that the URL is right'
      throw toError(url, `${error.message}. ${timeout.aborted ? 'Raise it with --timeout' : advice}.`, error)
    })
    if (list.status === 404 && bases.length > 1) continue
    const problem = findProblem(list, url)
    if (problem !== undefined) throw toError(url, problem)
    return { service, list, pets: (list.status === 200 && parsePets(list.json)) || [] }
  }
  const addresses = bases.map((base) => `${base}/inventory`).join(' or ')
  throw toError('the service', `there is no inventory at ${addresses} (404). Pass the URL with its base path.`)
}

function parseBases(text: string): readonly [string, ...string[]] {
  const url = URL.parse(text)
  const isPlain = url?.search === '' && url.hash === '' && url.username === '' && url.password === ''
  if (url !== null && isPlain && /^https?:$/.test(url.protocol)) return toBaseUrls(url)
  throw new MockError(
    'INVALID_OPTION',
    `Failed to find ${JSON.stringify(cut(hideInAddress(text)))}: it is not the URL of a service. Pass one like http://127.0.0.1:4100, with or without its base path.`,
  )
}

function toError(url: string, reason: string, cause?: unknown): MockError {
  return new MockError('CHECK_FAILED', `Failed to read the inventory of ${url}: ${reason}`, { cause })
}

/** Problems that make every case pointless, as one sentence instead of a report full of failures. */
function findProblem({ status, headers }: CheckResponse, url: string): string | undefined {
  const where = 'GET /inventory'
  const contentType = headers.get('content-type') ?? ''
  if (status === 401 || status === 403) return `${where} rejects the key (${status}). Pass a valid one with --api-key.`
  if ((status === 404 || status === 405) && url.endsWith('/inventory'))
    return `there is no inventory at ${url}/inventory (${status}). Pass the base path alone: ${url.slice(0, -'/inventory'.length)}`
  if (status === 404) return `${where} is 404. Is the base path missing, as in http://127.0.0.1:4100/v1?`
  if (/^text\/html\b/i.test(contentType))
    return `${where} returns a page (${contentType}) instead of JSON. Is it a website?`
  if (status < 300 || status >= 400) return undefined
  return `${where} redirects to ${hideInAddress(headers.get('location') ?? 'nowhere')}. Pass that URL instead.`
}
