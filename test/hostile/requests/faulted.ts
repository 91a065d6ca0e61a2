import type { Random } from '../random.ts'
import type { World } from '../world.ts'
import { checkJson, isListHead, unexpected } from './judges.ts'
import { authorize, type HostileRequest, JSON_BODY, type Judge, toHostile } from './request.ts'
import { pickUpdate, toPatch } from './valid.ts'

interface FaultCase {
  readonly fault: Readonly<Record<string, unknown>>
  /** What becomes of the response. */
  readonly becomes: Replacement | NonNullable<HostileRequest['breaks']> | 'as usual'
}

interface Replacement {
  readonly status: number
  /** An Error object where it is left out. */
  readonly body?: string
  readonly retryAfter?: string
}

const FAULTS: readonly FaultCase[] = [
  { fault: { status: 503, retryAfter: 1 }, becomes: { status: 503, retryAfter: '1' } },
  { fault: { status: 429 }, becomes: { status: 429 } },
  { fault: { status: 500, delay: 5 }, becomes: { status: 500 } },
  { fault: { status: 401 }, becomes: { status: 401 } },
  { fault: { status: 418, body: { teapot: true } }, becomes: { status: 418, body: '{"teapot":true}' } },
  { fault: { status: 200, body: [] }, becomes: { status: 200, body: '[]' } },
  { fault: { status: 200, body: null }, becomes: { status: 200, body: 'null' } },
  { fault: { status: 599, body: 'h\u00e9' }, becomes: { status: 599, body: '"h\u00e9"' } },
  { fault: { status: 204 }, becomes: { status: 204, body: '' } },
  { fault: { status: 304 }, becomes: { status: 304, body: '' } },
  { fault: { status: 205 }, becomes: { status: 205, body: '' } },
  { fault: { delay: 10 }, becomes: 'as usual' },
  { fault: { delay: [1, 20] }, becomes: 'as usual' },
]

const BREAKS: readonly FaultCase[] = [
  { fault: { error: 'network' }, becomes: 'before' },
  { fault: { error: 'reset' }, becomes: 'before' },
  { fault: { error: 'truncated' }, becomes: 'within' },
  { fault: { error: 'reset', delay: 10 }, becomes: 'before' },
  { fault: { error: 'truncated', delay: 10 }, becomes: 'within' },
  { fault: { error: 'timeout' }, becomes: 'silence' },
]

/** A fault for one request, and that request, in one pipeline. */
export function makeFaulted(random: Random, world: World): readonly HostileRequest[] {
  const { fault, becomes } = random.pick(random.chance(0.7) ? FAULTS : BREAKS)
  const request = makeTarget(random, world)
  const operation = request.method === 'PATCH' ? 'updateInventory' : 'listInventory'
  return [addFault(world, { ...fault, operation, times: 1 }), toFaulted(request, { becomes, fault })]
}

function makeTarget(random: Random, world: World): HostileRequest {
  if (random.chance(0.7)) return toPatch(random, world, pickUpdate(random))
  const isHead = random.chance(0.3)
  const judge: Judge = (response, model) =>
    response.body.toString() === model.toList() ? undefined : unexpected(response, model.toList())
  return toHostile({
    method: isHead ? 'HEAD' : 'GET',
    headers: [authorize(world)],
    judge: isHead ? isListHead : judge,
  })
}

function addFault(world: World, fault: object): HostileRequest {
  return toHostile({
    title: `fault ${JSON.stringify(fault)}`,
    method: 'POST',
    target: `/_mock/faults?sandbox=${world.sandbox}`,
    headers: [JSON_BODY],
    body: JSON.stringify(fault),
    judge: (response) =>
      response.status === 201 ? checkJson(response) : unexpected(response, 'a fault that is added'),
    // It would strike somebody else.
    onUnanswered: (model) => model.forget(),
  })
}

function toFaulted(request: HostileRequest, { becomes, fault }: FaultCase): HostileRequest {
  const { title: target, onUnanswered, ...rest } = request
  const faulted = { ...rest, title: `${target} under ${JSON.stringify(fault)}`, isFaulted: true }
  // Without a response it is not known whether the fault still waits.
  const forget = (model: World): void => model.forget()
  if (becomes === 'as usual') return { ...faulted, onUnanswered: forget }
  // The update took place; only its response breaks off.
  if (becomes === 'within') return { ...faulted, breaks: becomes, onUnanswered: onUnanswered ?? (() => {}) }
  if (typeof becomes === 'string') return { ...faulted, breaks: becomes, onUnanswered: forget }
  return { ...faulted, judge: isReplaced(becomes, request.method === 'HEAD'), onUnanswered: forget }
}

function isReplaced({ status, body, retryAfter }: Replacement, isHead: boolean): Judge {
  return (response) => {
    const isIt = response.status === status && response.headers['retry-after'] === retryAfter
    if (!isIt) return unexpected(response, `a fault with ${status}`)
    if (isHead) return undefined
    if (body !== undefined && response.body.toString() !== body) return unexpected(response, `a fault with ${body}`)
    return body === '' ? undefined : checkJson(response)
  }
}
