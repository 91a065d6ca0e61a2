import type { Case } from './cases.ts'
import { fail, findDeviation } from './find-faults.ts'
import { hideSecrets, isSecretHeader } from './keys.ts'
import type { Judge } from './prism.ts'
import { CaseEnd, type CaseResult, type Evidence, type Finding, findWorst } from './report.ts'
import type { CaseOutcome, Run } from './run.ts'
import { type CheckedService, type CheckRequest, type CheckResponse, findOperation, toHttp } from './service.ts'
import type { ListedPet } from './stock.ts'
import { type Contrast, findContrast, type MirroredResponse, type Twin } from './twin.ts'

interface CaseContext {
  readonly run: Run
  readonly service: CheckedService
  readonly judge: Judge
  readonly twin: Twin | undefined
  /** Whether a difference from the twin fails, and nothing else does. */
  readonly isDiff: boolean
  /** Whether the service is external, so that this project's own decisions do not bind it. */
  readonly isForeign: boolean
}

export async function checkCase(row: Case, context: CaseContext): Promise<CaseResult> {
  const { operation, title, source, section, expected } = row
  const start = performance.now()
  const { run } = context
  const outcome = await perform(row, context)
    // The lists come before all updates: only another client can have changed a pet.
    .finally(() => operation === 'listInventory' && run.leaveOutChanged())
    .catch((error: unknown): CaseOutcome => {
      if (error instanceof CaseEnd) return { status: undefined, findings: [error.finding] }
      throw error
    })
  const judged = (context.isDiff ? compareCase : judgeCase)(row, outcome, context)
  const { evidence } = judged
  // A service may repeat the key anywhere.
  const findings = [...judged.findings, ...run.notes.splice(0)].map(({ verdict, message, cause }) => ({
    verdict,
    message: toSafe(message, context.service),
    cause: toSafe(cause, context.service),
  }))
  return {
    operation,
    case: title,
    source,
    section,
    status: outcome.status,
    expected,
    verdict: findWorst(findings),
    findings,
    ...(findings.some(({ verdict }) => !['passed', 'skipped'].includes(verdict)) && { evidence }),
    durationMs: Math.round(performance.now() - start),
  }
}

async function perform(row: Case, { run, service }: CaseContext): Promise<CaseOutcome> {
  const { operation, expected, key, pet, petId, body, contentType, isChunked, rule, sequence } = row
  const obstacle = findObstacle(row, run, service.apiKey)
  if (obstacle !== undefined) throw new CaseEnd('skipped', obstacle)
  if (sequence !== undefined) return sequence(run)
  const id = petId?.(run) ?? (pet?.(run) as ListedPet | undefined)?.petId
  const text = typeof body === 'function' ? body(run) : body
  const request = {
    key,
    ...(id !== undefined && { petId: id }),
    ...(typeof text === 'string' && { body: text }),
    // An empty body says that it is JSON, too.
    ...(operation === 'updateInventory' && {
      contentType: contentType === undefined ? 'application/json' : contentType,
    }),
    ...(isChunked && { isChunked }),
  }
  if (operation === 'updateInventory') return run.update(request, expected)
  const response = await run.send({ operation, ...request })
  const deviation = findDeviation(response, expected) ?? rule?.(response)
  return { status: response.status, findings: deviation === undefined ? [] : [deviation] }
}

function findObstacle({ operation, pet, key }: Case, run: Run, apiKey: string): string | undefined {
  const { mayWrite, changeable, pets } = run.options
  if (operation === 'updateInventory' && !mayWrite) return 'updates are only sent with --write'
  const choice = pet?.(run)
  if (typeof choice === 'string') {
    // Says that `--pet` is why there is no such pet, if it leaves out pets.
    const isAmong = /^(?:there is )?no /.test(choice) && changeable.size > 0 && changeable.size < pets.length
    return isAmong ? `${choice} among those of --pet` : choice
  }
  return key !== undefined && key.of(apiKey) === undefined ? 'the key cannot be changed in this way' : undefined
}

type Judged = Required<Pick<CaseResult, 'findings' | 'evidence'>>

/** Judges a case against the specification, and against the profile that is known. */
function judgeCase(row: Case, { status, findings }: CaseOutcome, context: CaseContext): Judged {
  const { run, service, judge, twin, isForeign } = context
  const { responses } = run
  const isOpen = isForeign && status !== undefined && row.open?.includes(status) === true
  const isFree = isOpen || (isForeign && row.source === 'decision')
  const isKnown = twin !== undefined && synchronize(row, context) === undefined
  const toJudged = (finding: Finding): Finding => {
    const { verdict, cause, message } = finding
    if (verdict !== 'differs') return finding
    if (!isFree) return fail(cause, message)
    return isKnown ? { verdict: 'passed', cause: 'profile', message: `${message}, as the profile says` } : finding
  }
  const violations = responses.map((response) =>
    isOpen && response.status === status ? [] : judgeResponse(response, judge),
  )
  const broken = new Map(violations.flat().map((finding) => [finding.message, finding]))
  const shown = responses.find((_, index) => violations[index]?.length)
  // The list afterwards, unless it is right.
  const last = findings.every(({ verdict }) => verdict === 'differs') ? undefined : responses.at(-1)
  const ends = new Set([responses[0], last].filter((each) => each !== undefined))
  return {
    findings: [...findings.map(toJudged), ...broken.values()],
    evidence: (shown === undefined ? [...ends] : [shown]).map((each) => toEvidence(each, service)),
  }
}

function judgeResponse({ request, status, headers, body }: MirroredResponse, judge: Judge): readonly Finding[] {
  const contentType = headers.get('content-type') ?? undefined
  const found = judge({ operation: findOperation(request.operation), status, contentType, body })
  return found.map(({ message, location, code = '' }) => {
    const place = location.filter((part) => !/^\d+$/.test(part)).join('.')
    return fail(`${status} ${place} ${code}`, message)
  })
}

/** Compares a case with the mock. Without a response, there is nothing to compare. */
function compareCase(row: Case, { status, findings }: CaseOutcome, context: CaseContext): Judged {
  const contrast = synchronize(row, context)
  const others = findings.filter(({ verdict }) => (verdict === 'failed' ? status === undefined : verdict !== 'differs'))
  if (contrast === undefined) return { findings: others, evidence: [] }
  const { response, ours, cause } = contrast
  const theirs = toSafe(contrast.theirs, context.service)
  const evidence = { ...toEvidence(response, context.service), response: theirs, mock: ours }
  const message = `The mock responds ${ours}, the service ${theirs}`
  return { findings: [fail(cause, message), ...others], evidence: [evidence] }
}

/** Compares the responses of the mock and the service, and gives the mock the stock of the service if they differ. */
function synchronize({ open = [] }: Case, { run, twin }: CaseContext): Contrast | undefined {
  const [first] = run.responses
  // Outside the contract, both may respond as the case leaves it open.
  const isOutside = first !== undefined && open.includes(first.status) && open.includes(first.ours?.status ?? 0)
  const contrast = isOutside ? undefined : findContrast(run.responses, run.stock.foreign)
  if (contrast !== undefined) twin?.load(run.stock.pets.values())
  return contrast
}

const LONGEST_BODY = 300

export function toEvidence({ request, status, text, json }: CheckResponse, service: CheckedService): Evidence {
  const pets = Array.isArray(json) && json.length > 3 ? ` (${json.length} entries)` : ''
  return { request: toCurl(request, service), response: toSafe(`${status}${pets} ${text}`, service) }
}

/** The beginning of a text from the service, without credentials. */
export function toSafe(text: string, service: CheckedService): string {
  const safe = hideSecrets(text, service)
  return safe.length > LONGEST_BODY ? `${safe.slice(0, LONGEST_BODY)}…` : safe
}

/** A command line that repeats a request, with the credentials as variables of the shell: `$API_KEY`, `$X_API_KEY`. */
function toCurl(request: CheckRequest, service: CheckedService): string {
  const { method, url, headers } = toHttp(request, service)
  const flags = Array.from(headers, ([name, value]) => {
    if (value === `Bearer ${service.apiKey}`) return ` -H 'authorization: Bearer '"$API_KEY"`
    if (isSecretHeader(name, value) && service.headers?.[name] === value)
      return ` -H '${name}: '"$${name.toUpperCase().replaceAll('-', '_')}"`
    return ` -H ${quoteForShell(`${name}: ${value}`)}`
  })
  const data = request.body === undefined ? '' : ` --data-binary ${quoteForShell(request.body)}`
  return hideSecrets(`curl -X ${method} ${quoteForShell(url)}${flags.join('')}${data}`, service)
}

/** Quotes a text for sh, bash, zsh and fish, in which a backslash within quotes may escape the quote. */
function quoteForShell(text: string): string {
  return `'${text.replaceAll(/['\\]/g, "'\\$&'")}'`
}
