import type { Case } from './cases.ts'
import { hideSecrets, isSecretHeader } from './keys.ts'
import type { Judge } from './prism.ts'
import { CaseEnd, type CaseResult, deviate, type Evidence, type Finding, findWorst } from './report.ts'
import type { CaseOutcome, Run } from './run.ts'
import { type CheckedService, type CheckResponse, findOperation, toHttp } from './service.ts'
import { decidesAlike, type Twin } from './twin.ts'

interface CaseContext {
  readonly run: Run
  readonly service: CheckedService
  readonly judge: Judge
  /** Whether the service is external, so that this project's own decisions do not bind it. */
  readonly isForeign: boolean
  /** A mock that decides as the service is known to, if that is known. */
  readonly twin: Twin | undefined
}

export async function checkCase(row: Case, context: CaseContext): Promise<CaseResult> {
  const { operation, title, expected } = row
  const { run, service } = context
  const start = performance.now()
  run.responses.length = 0
  const outcome = await perform(row, context).catch((error: unknown): CaseOutcome => {
    if (error instanceof CaseEnd) return { status: undefined, findings: [error.finding] }
    throw error
  })
  const { findings: judged, evidence } = await judgeCase(row, outcome, context)
  // A service may repeat the key anywhere.
  const findings = judged.map(({ verdict, message, cause }) => ({
    verdict,
    message: toSafe(message, service),
    cause: toSafe(cause, service),
  }))
  return {
    operation,
    case: title,
    status: outcome.status,
    expected,
    verdict: findWorst(findings),
    findings,
    ...(findings.some(({ verdict }) => !['passed', 'skipped'].includes(verdict)) && { evidence }),
    durationMs: Math.round(performance.now() - start),
  }
}

async function perform(row: Case, { run, service }: CaseContext): Promise<CaseOutcome> {
  const { operation, key, petId, body, contentType, isChunked, rule, sequence } = row
  if (findOperation(operation).method !== 'GET') {
    if (!run.options.mayWrite) throw new CaseEnd('skipped', 'updates are only sent with --write')
    if (run.damage !== undefined) throw new CaseEnd('skipped', 'no update is sent after damage to the stock')
  }
  const id = petId?.(run)
  if (key !== undefined && key.of(service.apiKey) === undefined)
    throw new CaseEnd('skipped', 'the key cannot be changed in this way')
  if (sequence !== undefined) return sequence(run, id ?? '')
  const text = (typeof body === 'function' ? body(run) : body) ?? undefined
  const request = { key, petId: id, body: text, contentType, isChunked }
  if (operation === 'updateInventory') return run.update(request)
  const response = await run.send({ operation, ...request })
  const { status } = response
  const fault = status === row.expected ? rule?.(response) : undefined
  return { status, at: 0, findings: fault === undefined ? [] : [{ ...fault, at: 0 }] }
}

/** Judges a case against the specification, and against the mock if there is a profile. */
async function judgeCase(
  { open = [], source, expected }: Case,
  { status, at, findings }: CaseOutcome,
  { run: { responses }, service, judge, isForeign, twin }: CaseContext,
): Promise<Pick<CaseResult, 'findings' | 'evidence'>> {
  const isOpen = isForeign && status !== undefined && open.includes(status)
  const isFree = isOpen || (isForeign && source === 'decision')
  const isKnown = isFree && twin !== undefined && (await decidesAlike(twin, { responses, open }))
  const toJudged = (finding: Finding): Finding => {
    if (finding.verdict !== 'differs') return finding
    if (!isFree) return { ...finding, verdict: 'failed' }
    const message = `${finding.message}, which the profile allows`
    return isKnown ? { verdict: 'passed', cause: 'profile', message } : finding
  }
  const violations = responses.flatMap((response, index) => {
    if (response.failure !== undefined || (isOpen && response.status === status)) return []
    const operation = findOperation(response.request.operation)
    return judge({ ...response, operation }).map((finding) => ({ ...finding, at: index }))
  })
  const wanted = `${isFree ? 'the mock sends' : 'should be'} ${expected}`
  const isOther = status !== undefined && status !== expected
  const deviation = isOther ? [{ ...deviate(`status ${status}`, `The status is ${status} and ${wanted}`), at }] : []
  // Each cause once. What a sequence says of its status takes the place of the deviation.
  const isOwn = ({ cause }: Finding): boolean => cause === `status ${status}`
  const all = [...findings.filter(isOwn), ...deviation, ...findings, ...violations]
  const found = all.filter(({ cause }, index) => all.findIndex((each) => each.cause === cause) === index)
  const last = found.find((each) => each.at !== undefined)?.at ?? -1
  // The request that shows it, and those since the last list, which it may need.
  const lastList = responses.slice(0, last).findLastIndex(({ request }) => request.operation === 'listInventory')
  // An ETag is that of the first list.
  const start = responses[last]?.request.etag === undefined ? lastList + 1 : 0
  const evidence = responses.slice(start, last + 1).map((each) => toEvidence(each, service))
  return { findings: found.map(toJudged), evidence }
}

const LONGEST_BODY = 300

export function toEvidence(response: CheckResponse, service: CheckedService): Evidence {
  const { status, text } = response
  return { request: toCurl(response, service), response: toSafe(`${status || ''} ${text}`.trim(), service) }
}

/** The beginning of a text from the service, without credentials. */
function toSafe(text: string, service: CheckedService): string {
  const safe = hideSecrets(text, service)
  return safe.length > LONGEST_BODY ? `${safe.slice(0, LONGEST_BODY)}…` : safe
}

/** A command line that repeats a request, with the credentials as variables of the shell: `$API_KEY`, `$X_API_KEY`. */
function toCurl({ request, headers: received, afterMs = 0 }: CheckResponse, service: CheckedService): string {
  const { key, body = '', contentType, isChunked, isAtOnce } = request
  const { method, url, headers } = toHttp(request, service)
  const quote = (text: string): string => quoteForShell(text, service)
  if (key?.curl !== undefined) headers.delete('authorization')
  const flags = Array.from(headers, ([name, value]) => {
    if (isSecretHeader(name, value) && service.headers?.[name] === value)
      return `-H '${name}: '"$${name.toUpperCase().replaceAll('-', '_')}"`
    return `-H ${quote(`${name}: ${value}`)}`
  })
  if (key?.curl !== undefined) flags.push(key.curl)
  // curl adds a type of its own to a body without one, and the length.
  if (contentType === null) flags.push("-H 'content-type:'")
  if (isChunked) flags.push("-H 'transfer-encoding: chunked'")
  if (received.has('content-encoding')) flags.push('--compressed')
  if (method !== 'GET') flags.push(`--data-binary ${quote(body)}`)
  const wait = afterMs === 0 ? '' : `sleep ${afterMs / 1000}; `
  return `${wait}curl -X ${method} ${quote(url)} ${flags.join(' ')}${isAtOnce ? ' &' : ''}`.trim()
}

/** Quotes a text for sh, bash, zsh and fish, in which a backslash within quotes may escape the quote. */
function quoteForShell(text: string, service: CheckedService): string {
  const parts = text.split(service.apiKey).map((part) => hideSecrets(part, service).replaceAll(/['\\]/g, "'\\$&'"))
  return `'${parts.join(`'"$API_KEY"'`)}'`.replace(/(?<=")''$/, '')
}
