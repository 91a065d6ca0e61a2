import { type Awaitable, isPromise } from '../http/awaitable.ts'
import type { Bytes } from '../http/bytes.ts'
import { createErrorResponse } from '../http/error-response.ts'
import { clearTimeout, setTimeout } from '../http/globals.ts'
import type { Outcome } from '../http/outcome.ts'
import { type BODY_TOO_LARGE, RequestAborted } from '../http/wire-request.ts'
import { drawDelay } from '../sandbox/delay.ts'
import { toBodyLimit } from './answerers.ts'
import type { Exchange } from './exchange.ts'

/** How long a body may take to arrive, in milliseconds of real time. */
const LONGEST_ARRIVAL_MS = 30_000
const TOO_LATE = createErrorResponse(
  'invalid_request',
  `The body did not arrive within ${LONGEST_ARRIVAL_MS / 1000} s`,
  { status: 408 },
)

/** The body arrives, and the delay passes. This is the only place that reads the body of a request to the service. */
export function arrive(exchange: Exchange): Awaitable<Outcome | undefined> {
  const { preferences, fault, sandbox, parts } = exchange
  const reading = readBody(exchange)
  const delay = preferences?.delay ?? drawDelay(fault?.delay ?? sandbox.delay ?? parts.options.delay, sandbox.random)
  if (isPromise(reading)) return awaitBoth(exchange, { reading, delay })
  exchange.body = reading
  return delay > 0 ? wait(exchange, delay) : undefined
}

async function awaitBoth(
  exchange: Exchange,
  { reading, delay }: { reading: Promise<Exchange['body']>; delay: number },
): Promise<Outcome | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const arriving = new Promise<Outcome | undefined>((resolve, reject) => {
    timer = setTimeout(() => resolve(TOO_LATE), LONGEST_ARRIVAL_MS)
    // In the exchange at once, because the journal has it also if the delay is cut short.
    reading.then((body) => {
      exchange.body = body
      resolve(undefined)
    }, reject)
  })
  try {
    // The delay does not wait for the body: `clock.advance()` ends only delays that have begun.
    const [outcome] = await Promise.all([arriving, delay > 0 && wait(exchange, delay)])
    return outcome
  } finally {
    clearTimeout(timer)
  }
}

/** `undefined` for a method whose body has no meaning. */
function readBody(exchange: Exchange): Awaitable<Bytes | typeof BODY_TOO_LARGE | undefined> {
  const { request } = exchange
  if (request.method === 'GET' || request.method === 'HEAD') return undefined
  return request.readBody(toBodyLimit(exchange))
}

async function wait({ parts, request, sandbox }: Exchange, ms: number): Promise<undefined> {
  const hasPassed = await parts.clock.sleep(ms, request.signal(), sandbox.released)
  if (!hasPassed)
    throw new RequestAborted('Failed to respond: the client disconnected during the delay, or its sandbox was reset.')
}
