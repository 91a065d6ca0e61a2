import { DEFAULT_SANDBOX } from '../auth/authenticator.ts'
import { tell } from '../console/state/action-parts.ts'
import type { Console } from '../console/state/create-console.ts'
import { parseExactJson, writeExactJson } from '../http/exact-json.ts'
import type { Fault } from '../sandbox/fault.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { STATE_VERSION } from '../sandbox/state-document.ts'
import { createMock } from '../service/create-mock.ts'
import { type Mock, toService } from '../service/mock.ts'

/** What a link carries, of one sandbox. */
export type LinkedState = ReturnType<typeof readState>

/** The start of a URL's fragment with a state. Browsers do not send it to the server. */
export const STATE_HASH = '#state='
/** What browsers, mail programs and chats leave whole. It also limits the decompressed state, to some 25 MB. */
const MOST_CHARACTERS = 32_000

/** Copies a link to what the page shows, with the state of its sandbox. It has no key. */
export async function copyLink(page: Console, mock: Mock): Promise<void> {
  const address = new URL(location.href)
  // The journal is not in the link.
  address.searchParams.delete('request')
  const text = writeHash(readState(mock, page.store.state.sandbox)).then((hash) => {
    if (hash.length > MOST_CHARACTERS) throw new Error('The stock is too large for a link. Send its fixture instead.')
    address.hash = hash
    return new Blob([address.href], { type: 'text/plain' })
  })
  try {
    // Safari copies only right after a click, but takes a promise.
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': text })])
    tell(page, 'Link copied, with stock, faults and latency')
  } catch {
    const problem = await text.then(
      () => new Error('The browser does not allow copying'),
      (error: Error) => error,
    )
    page.store.set({ notice: { text: problem.message, isError: true } })
  }
}

/** Changes the sandbox on the page, with Undo. */
export function openIn(page: Console, mock: Mock, text: string, change: (sandbox: Sandbox) => void): void {
  const sandbox = mock.sandbox(page.store.state.sandbox)
  const before = readState(mock, sandbox.name)
  async function undo(): Promise<string> {
    applyState(sandbox, before)
    return 'The state before the link is back'
  }
  change(sandbox)
  tell(page, { text, undo })
}

/** Replaces the state of a sandbox. */
export function applyState(sandbox: Sandbox, { snapshot, faults, delay }: LinkedState): void {
  sandbox.restore(snapshot)
  sandbox.faults.clear()
  for (const fault of faults) sandbox.faults.add(fault)
  sandbox.setDelay(delay)
}

function readState(mock: Mock, name: string) {
  const { controls, delay } = toService(mock).sandboxes.open(name)
  // A sequence of statuses starts again.
  const faults = controls.faults.list().map(({ id: _id, used, ...fault }): Fault => {
    return fault.times === undefined || fault.statuses ? fault : { ...fault, times: fault.times - used }
  })
  return { snapshot: controls.snapshot(), faults, delay }
}

async function writeHash({ snapshot, faults, delay }: LinkedState): Promise<string> {
  const mock = createMock()
  mock.restore(snapshot)
  const json = `{"state":${mock.exportState()},"faults":${writeExactJson(faults)},"delay":${JSON.stringify(delay ?? null)}}`
  const bytes = await pipe(json, new CompressionStream('deflate')).bytes()
  const code = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  return `${STATE_HASH}${STATE_VERSION}.${code.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`
}

/**
 * Reads the state of a fragment, and changes nothing yet.
 * @throws {Error} if the link is too long, damaged or of another release.
 */
export async function parseHash(hash: string): Promise<LinkedState> {
  const [, version, code = ''] = /^(\d+)\.([\w-]+)$/.exec(hash.slice(STATE_HASH.length)) ?? []
  if (hash.length > MOST_CHARACTERS) throw new Error(`The link is longer than ${MOST_CHARACTERS} characters.`)
  if (version !== undefined && version !== String(STATE_VERSION))
    throw new Error(`The link is of another release: its version is ${version}, not ${STATE_VERSION}.`)
  try {
    const bytes = Uint8Array.from(atob(code.replaceAll('-', '+').replaceAll('_', '/')), (each) => each.charCodeAt(0))
    const json = await pipe(bytes, new DecompressionStream('deflate')).text()
    const { state, faults, delay } = parseExactJson(json) as { state: object; faults: Fault[]; delay: never }
    const mock = createMock()
    mock.importState(JSON.stringify(state))
    for (const fault of faults) mock.faults.add(fault)
    mock.setDelay(delay ?? undefined)
    return readState(mock, DEFAULT_SANDBOX)
  } catch (cause) {
    throw new Error('The link is damaged or incomplete.', { cause })
  }
}

function pipe(content: string | Uint8Array<ArrayBuffer>, through: CompressionStream | DecompressionStream): Response {
  return new Response(new Blob([content]).stream().pipeThrough(through))
}
