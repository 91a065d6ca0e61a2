import { toItemJson } from '../../store/inventory-item.ts'
import type { SandboxEvent } from '../events.ts'
import type { SandboxRoom } from '../sandbox.ts'
import type { ControlRoute } from './control-route.ts'
import { toDelayJson } from './delay.ts'
import { toFaultsJson } from './faults.ts'
import { toEntryJson } from './journal.ts'

// Taken when this module is loaded, so that a runner's fake timers do not stop the double.
const { setInterval, clearInterval } = globalThis

/** How often a silent stream says that it lives, in milliseconds: proxies close those that say nothing for a minute. */
const HEARTBEAT_MS = 15_000
/** In events. A client that lags behind by more is cut off, so that it does not fill the memory; it may come again. */
const LONGEST_BACKLOG = 10_000

/**
 * What happens in the sandbox, as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html).
 * The first is a `state`, as after every other replacement of the whole state: what one knew before is to be asked anew.
 */
export const getEvents: ControlRoute = {
  method: 'GET',
  path: '/events',
  answer: ({ sandbox, call }) =>
    new Response(call.method === 'HEAD' ? null : createEventStream(sandbox), {
      headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
    }),
}

function createEventStream(sandbox: SandboxRoom): ReadableStream<Uint8Array> {
  let stop = (): void => {}
  return new ReadableStream<Uint8Array>(
    {
      start(stream) {
        const encoder = new TextEncoder()
        const write = (text: string): void => {
          stream.enqueue(encoder.encode(text))
          if ((stream.desiredSize ?? 0) < 0) end()
        }
        const end = (): void => {
          stop()
          stream.close()
        }
        const heartbeat = setInterval(() => write(':\n\n'), HEARTBEAT_MS)
        const unsubscribe = sandbox.events.subscribe((event) =>
          event.type === 'end' ? end() : write(toEventText(event, sandbox)),
        )
        stop = () => {
          clearInterval(heartbeat)
          unsubscribe()
        }
        write(toEventText({ type: 'state' }, sandbox))
      },
      cancel: () => stop(),
    },
    { highWaterMark: LONGEST_BACKLOG },
  )
}

function toEventText(event: Exclude<SandboxEvent, { type: 'end' }>, sandbox: SandboxRoom): string {
  return `event: ${event.type}\ndata: ${toData(event, sandbox)}\n\n`
}

/** On one line: none of the JSON that is written here holds a line break. */
function toData(event: Exclude<SandboxEvent, { type: 'end' }>, sandbox: SandboxRoom): string {
  const { state, faults } = sandbox
  switch (event.type) {
    case 'pet':
      return toItemJson(event.pet)
    case 'pet-removed':
      return `{"petId":${event.petId}}`
    case 'state':
      return JSON.stringify({ fixture: state.seed.name, pets: state.size })
    case 'exchange':
      return toEntryJson(event.entry)
    case 'journal-cleared':
      return '{}'
    case 'faults':
      return toFaultsJson(faults)
    case 'delay':
      return toDelayJson(sandbox)
  }
}
