import { explainTls } from '../../client/ask-control.ts'
import { toBaseUrls } from '../../http/base-url.ts'
import { isJsonObject } from '../../http/exact-json.ts'
import { hideInAddress } from '../../http/hide-credentials.ts'
import { quote } from '../../http/quote.ts'
import { toFetchReason } from '../../http/to-fetch-reason.ts'
import { BODY_TOO_LARGE, collectBody } from '../../http/wire-request.ts'
import { toInventoryItem } from '../../inventory/pet.ts'
import { FixtureError, parseFixture, parseJsonText } from '../../store/fixture.ts'
import type { Command } from '../command.ts'
import { toFixtureText } from '../fixture-text.ts'
import { INTERRUPTED, UsageError } from '../io.ts'
import { decodeUtf8 } from '../parse-data-file.ts'
import { parseOnce, parseWhole } from '../parse-flag.ts'
import { API_KEY_FLAG, FORCE_FLAG, OUTPUT_FLAG } from '../shared-flags.ts'
import { withProgress } from '../with-progress.ts'
import { type OutputFlags, openOutput } from '../write-output.ts'

interface RecordFlags extends OutputFlags {
  readonly url: string
  readonly apiKey: string
  readonly timeout: number
}

/** Room for a million pets. */
const LARGEST_LIST_MB = 64

/** `petstore-mock record`: writes a fixture from the list of a running service. */
export const record: Command<RecordFlags, 'url'> = {
  summary: "write a fixture from a running service's inventory",
  positionals: {
    url: {
      type: 'string',
      demandOption: true,
      coerce: parseOnce('url'),
      describe: "the service's base URL, such as http://127.0.0.1:4100/v1; without a path, /v1 and then / are tried",
    },
  },
  options: {
    'api-key': API_KEY_FLAG,
    timeout: {
      default: 30,
      requiresArg: true,
      coerce: parseWhole('timeout', { min: 1, max: 3600 }),
      describe: 'seconds to wait for the service',
    },
    output: OUTPUT_FLAG,
    force: FORCE_FLAG,
  },
  examples: [['record http://127.0.0.1:4100 -k demo-key -o stock.json', 'write the pets of a service to a fixture']],
  async run(flags, io) {
    const { url, apiKey, timeout } = flags
    const bases = parseBases(url)
    const write = await openOutput(flags, io)
    const timer = AbortSignal.timeout(timeout * 1000)
    const signal = AbortSignal.any([io.stop, timer])
    let asked: string = bases[0]
    const onAsk = (base: string): void => {
      asked = base
    }
    const list = await withProgress(`Waiting for ${asked}/inventory…`, {
      io,
      work: () => findList(bases, { apiKey, signal, onAsk }),
    }).catch((error: Error) => {
      if (io.stop.aborted) return undefined
      if (timer.aborted)
        throw new UsageError(
          `${asked}/inventory did not send its whole response in ${timeout} s. Raise the limit with --timeout.`,
        )
      throw error
    })
    if (list === undefined) return INTERRUPTED
    const { base, text } = list
    const inventory = parseList(text, `${base}/inventory`)
    await write(toFixtureText({ description: `Recorded from ${base}`, inventory }))
    return 0
  },
}

function parseBases(text: string): readonly [string, ...string[]] {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError(`${hideInAddress(text)} is not an http URL.`)
  return toBaseUrls(url)
}

interface FetchOptions {
  readonly apiKey: string
  readonly signal: AbortSignal
  /** Called with each base URL before its inventory is requested. */
  readonly onAsk: (base: string) => void
}

/** The list of the first base URL that has one. @throws {UsageError} if there is no list. */
async function findList(bases: readonly string[], options: FetchOptions): Promise<{ base: string; text: string }> {
  for (const base of bases) {
    const response = await fetchList(base, options)
    const isMissing = response.status === 404 && bases.length > 1
    if (!isMissing) return { base, text: await readList(base, response) }
    await response.body?.cancel()
  }
  const addresses = bases.map((base) => `${base}/inventory`).join(' and ')
  throw new UsageError(`${addresses} responded with 404 instead of 200. Pass the URL with its base path.`)
}

/** @throws {UsageError} if the service cannot be reached, or the signal's reason if aborted. */
async function fetchList(base: string, { apiKey, signal, onAsk }: FetchOptions): Promise<Response> {
  onAsk(base)
  const headers = { authorization: `Bearer ${apiKey}`, accept: 'application/json' }
  return fetch(`${base}/inventory`, { headers, signal, redirect: 'manual' }).catch((cause: Error) => {
    throw new UsageError(`${base} cannot be reached: ${explainTls(cause) ?? toFetchReason(cause)}.`, { cause })
  })
}

/** @throws {UsageError} if the response is not a whole list, or the signal's reason if aborted. */
async function readList(base: string, response: Response): Promise<string> {
  const location = response.headers.get('location')
  if (response.status >= 300 && response.status < 400 && location !== null)
    throw new UsageError(`${base}/inventory redirects to ${hideInAddress(location)}. Pass that URL instead.`)
  if (response.status !== 200)
    throw new UsageError(
      `${base}/inventory responded with ${response.status} instead of 200. ${toAdvice(base, response)}`,
    )
  const body = await collectBody(response.body, LARGEST_LIST_MB * 1024 ** 2).catch((cause: Error) => {
    throw new UsageError(
      `${base}/inventory closed the connection before the end of its response: ${toFetchReason(cause)}.`,
      { cause },
    )
  })
  if (body !== BODY_TOO_LARGE) return decodeUtf8(body, `${base}/inventory`)
  throw new UsageError(`${base}/inventory is larger than ${LARGEST_LIST_MB} MB, too large to record.`)
}

/** The specification is stricter than a fixture: a petId must be a number. @throws {FixtureError} */
function parseList(text: string, origin: string) {
  const list = parseJsonText(text, origin)
  if (!Array.isArray(list)) throw new FixtureError(origin, [`must be a list of pets, got ${quote(list)}`])
  const problems = list.flatMap((item, index) => {
    const petId = isJsonObject(item) ? item['petId'] : undefined
    return typeof petId === 'string' ? [`inventory[${index}].petId: must be a number, got ${quote(petId)}`] : []
  })
  if (problems.length > 0) throw new FixtureError(origin, problems)
  return Array.from(parseFixture({ inventory: list }, origin).values(), toInventoryItem)
}

function toAdvice(base: string, { status }: Response): string {
  if (status === 401 || status === 403) return 'Pass a valid key with --api-key.'
  return base.endsWith('/inventory')
    ? 'Pass the base path alone, without /inventory.'
    : 'Check the URL and its base path.'
}
