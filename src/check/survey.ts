import { toBaseUrls } from '../http/base-url.ts'
import { hideInAddress } from '../http/hide-credentials.ts'
import { MockError } from '../http/mock-error.ts'
import { cut } from '../http/quote.ts'
import { CaseEnd } from './report.ts'
import { type CheckedService, type CheckResponse, LIST } from './service.ts'
import { Session } from './session.ts'
import type { Sightings } from './sightings.ts'
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
  { timeout, sightings }: { timeout: AbortSignal; sightings?: Sightings },
): Promise<Survey> {
  const survey = async (url: string, other?: string): Promise<Survey> => {
    const service = { ...options, url }
    const list = await new Session(service, { timeout, sightings, isNew: true, patienceMs: 3000 })
      .send(LIST)
      .catch((error: unknown) => {
        if (!(error instanceof CaseEnd)) throw error
        const advice = 'Check that the service is running, and that the URL is right'
        throw toError(url, `${error.message}. ${timeout.aborted ? 'Raise it with --timeout' : advice}.`, error)
      })
    if (list.status === 404 && other !== undefined) return survey(other)
    const problem = findProblem(list, url)
    if (problem !== undefined) throw toError(url, problem)
    return { service, list, pets: (list.status === 200 && parsePets(list.json)) || [] }
  }
  return survey(...parseBases(given))
}

function parseBases(text: string): readonly [string, string?] {
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
  const where = `GET ${url}/inventory is ${status}`
  if (status === 401 || status === 403) return `${where}: the key is rejected. Pass a valid one with --api-key.`
  if (status === 404 || status === 405)
    return `${where}. Pass the URL with the base path alone: http://127.0.0.1:4100/v1`
  if (headers.get('content-type')?.startsWith('text/html'))
    return `${where} and a page of HTML. Is the URL a website's?`
  const location = headers.get('location')
  return location === null ? undefined : `${where} and redirects to ${hideInAddress(location)}. Pass that URL instead.`
}
