import { AnswerError } from '../console/api/control.ts'
import { type Delay, type Fault, type Pet, parseJson } from '../console/api/model.ts'
import { run } from '../console/state/action-parts.ts'
import type { Console } from '../console/state/create-console.ts'
import { toFixtureText } from '../console/state/pets.ts'
import { explainLink } from '../console/state/place.ts'
import { toUnused } from '../console/state/to-unused.ts'

/** What a link carries, of one sandbox. */
interface LinkedState {
  readonly inventory: readonly Pet[]
  readonly faults: readonly Partial<Fault>[]
  readonly delay: Delay
}

/** The start of a URL's fragment with a state. Browsers do not send it to the server. */
export const STATE_HASH = '#state='
/** What browsers, mail programs and chats leave whole. */
const MOST_CHARACTERS = 32_000

/** Makes a link to what the page shows, with the state of its sandbox. It has no key. */
async function toLink(page: Console): Promise<string> {
  const address = new URL(location.href)
  // The journal is not in the link.
  address.searchParams.delete('request')
  const code = await pack(JSON.stringify(await readState(page)))
  if (code.length > MOST_CHARACTERS)
    throw new AnswerError('The stock is too large for a link. Send its fixture instead.')
  address.hash = STATE_HASH + code
  return address.href
}

export function copyLink(page: Console): Promise<void> {
  return page.actions.copy(toLink(page), `Link copied, with stock, faults and latency${explainLink()}`)
}

/** Replaces the state of the sandbox with that of a fragment, with Undo. A damaged one changes nothing. */
export function openLink(page: Console, hash: string): Promise<void> {
  return run(page, async () => {
    const state = await unpack(hash.slice(STATE_HASH.length)).then(parseJson<LinkedState>, () => {
      throw new AnswerError('The link is damaged or incomplete. The demo opens without it.')
    })
    const before = await readState(page)
    await applyState(page, state)
    async function undo(): Promise<string> {
      await applyState(page, before)
      return 'The state before the link is back'
    }
    return { text: 'Opened with stock, faults and latency of the link', undo }
  })
}

async function readState({ getControl }: Console): Promise<LinkedState> {
  const { ask } = getControl()
  const [{ inventory }, faults, { delay }] = await Promise.all([
    ask('GET /state'),
    ask('GET /faults'),
    ask('GET /delay'),
  ])
  return { inventory, faults: faults.map(toUnused), delay }
}

async function applyState({ getControl }: Console, { inventory, faults, delay }: LinkedState): Promise<void> {
  const { ask } = getControl()
  await ask('PUT /state', { query: { fixture: 'keep' }, json: toFixtureText(inventory) })
  await ask('DELETE /faults')
  for (const fault of faults) await ask('POST /faults', { json: JSON.stringify(fault) })
  await ask('PUT /delay', { body: { delay } })
}

async function pack(text: string): Promise<string> {
  const bytes = await pipe(text, new CompressionStream('deflate')).bytes()
  const code = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  return code.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

async function unpack(code: string): Promise<string> {
  const bytes = Uint8Array.from(atob(code.replaceAll('-', '+').replaceAll('_', '/')), (each) => each.charCodeAt(0))
  return pipe(bytes, new DecompressionStream('deflate')).text()
}

function pipe(content: string | Uint8Array<ArrayBuffer>, through: CompressionStream | DecompressionStream): Response {
  return new Response(new Blob([content]).stream().pipeThrough(through))
}
