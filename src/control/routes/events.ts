import { toFetchOutcome } from '../../http/outcome.ts'
import { writeExactJson } from '../../http/write-exact-json.ts'
import { toItemJson } from '../../inventory/pet.ts'
import { MOST_STREAMS, type StreamEvent } from '../../sandbox/event-feed.ts'
import type { SandboxInternals } from '../../sandbox/sandbox.ts'
import { ControlError } from './control-error.ts'
import { type ControlRoute, defineControlRoute } from './define-control-route.ts'
import { toDelaySetting } from './delay.ts'

const HEADERS = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' }

/**
 * Streams the sandbox's events as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html).
 * A `state` event, also the first event of a stream, tells the client to reload everything.
 */
export const getEvents: ControlRoute<'getEvents'> = defineControlRoute('getEvents', ({ sandbox, request, feeds }) => {
  if (request.method === 'HEAD') return toFetchOutcome(new Response(null, { headers: HEADERS }))
  const stream = feeds.open(sandbox.events, (event) => toEventText(event, sandbox))
  if (stream !== undefined) return toFetchOutcome(new Response(stream, { headers: HEADERS }))
  throw new ControlError(
    'too_many_requests',
    `The mock already has ${MOST_STREAMS} open event streams, the maximum. Close one and try again`,
  )
})

function toEventText(event: StreamEvent, sandbox: SandboxInternals): string {
  return `event: ${event.type}\ndata: ${toData(event, sandbox)}\n\n`
}

/** Always one line, as an SSE `data` field requires: compact JSON has no line breaks. */
function toData(event: StreamEvent, sandbox: SandboxInternals): string {
  const { state, faults } = sandbox
  switch (event.type) {
    case 'pet':
      return toItemJson(event.pet)
    case 'pet-removed':
      return `{"petId":${event.petId}}`
    case 'state':
      return JSON.stringify({ fixture: state.seed.name, pets: state.size })
    case 'exchange':
      return writeExactJson(event.entry)
    case 'journal-cleared':
      return '{}'
    case 'faults':
      // Bodies are omitted: they can be long, and the console does not show them.
      return writeExactJson(faults.list().map(({ body: _, ...fault }) => fault))
    case 'delay':
      return JSON.stringify(toDelaySetting(sandbox))
  }
}
