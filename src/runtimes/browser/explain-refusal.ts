import { MockError } from '../../http/mock-error.ts'
import { PAGE_ADVICE } from './assert-page.ts'
import { createWorkerError, INIT_ADVICE } from './worker-error.ts'

interface RefusedScript {
  readonly scriptUrl: string
  readonly scope: string
  readonly deadline: AbortSignal
}

/**
 * Explains why a browser rejected a worker script. Browsers only describe the symptom, each in its own words, so this
 * requests the script itself first.
 */
export async function explainRefusal(
  cause: unknown,
  { scriptUrl, scope, deadline }: RefusedScript,
): Promise<MockError> {
  if (cause instanceof MockError) return cause
  const reason =
    (await explainScript(scriptUrl, deadline)) ?? explainScope(scriptUrl, scope) ?? explainCause(scriptUrl, cause)
  return createWorkerError(reason, cause)
}

async function explainScript(scriptUrl: string, signal: AbortSignal): Promise<string | undefined> {
  const answer = await fetch(scriptUrl, { cache: 'no-store', signal }).catch(() => undefined)
  if (answer === undefined) return `the script ${scriptUrl} could not be loaded. Is its server running?`
  await answer.body?.cancel()
  if (!answer.ok) return `there is no script at ${scriptUrl} (HTTP ${answer.status}). ${INIT_ADVICE}`
  const type = answer.headers.get('content-type') ?? 'of no content type'
  if (!isJavaScript(type))
    return `${scriptUrl} is not a script but ${type}; dev servers send their index.html where a file is missing. ${INIT_ADVICE}`
  if (!answer.redirected) return undefined
  return `the script ${scriptUrl} is redirected to ${answer.url}, which browsers refuse. Set workerUrl to that address.`
}

function explainScope(scriptUrl: string, scope: string): string | undefined {
  const folder = new URL('.', scriptUrl).href
  if (scope.startsWith(folder)) return undefined
  return `the scope ${scope} is wider than the folder of the script ${scriptUrl}. Put the script into the root of the site with \`npx petstore-mock init public/\`, or send it with the header Service-Worker-Allowed: ${new URL(scope).pathname}`
}

function explainCause(scriptUrl: string, cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause)
  const isPolicy = cause instanceof DOMException && cause.name === 'SecurityError'
  const advice = isPolicy
    ? `Add worker-src 'self' to the page's Content-Security-Policy, or ${PAGE_ADVICE}`
    : INIT_ADVICE
  return `the browser refused the script ${scriptUrl}: ${message.replace(/\.?$/, '.')} ${advice}`
}

/** Registration accepts any JavaScript MIME type: https://mimesniff.spec.whatwg.org/#javascript-mime-type. */
function isJavaScript(type: string): boolean {
  return /^(application|text)\/(x-)?(java|ecma|j|live)script[\d.]*\s*(;|$)/i.test(type)
}
