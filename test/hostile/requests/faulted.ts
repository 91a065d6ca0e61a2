import fc from 'fast-check'
import { type HostileRequest, JSON_BODY, LIST, pick, weigh } from './request.ts'
import { patch } from './valid.ts'

type Fault = readonly [fault: object, breaks?: HostileRequest['breaks']]

const FAULTS: readonly Fault[] = [
  [{ status: 503, retryAfter: 1 }],
  [{ status: 500, delay: 5 }],
  [{ status: 401 }],
  [{ status: 418, body: { teapot: true } }],
  [{ status: 200, body: null }],
  [{ status: 599, body: 'h\u00e9' }],
  [{ status: 204 }],
  [{ status: 304 }],
  [{ status: 205 }],
  [{ delay: 10 }],
]

const BREAKS: readonly Fault[] = [
  [{ error: 'network' }, 'before'],
  [{ error: 'reset' }, 'before'],
  [{ error: 'truncated' }, 'within'],
  [{ error: 'reset', delay: 10 }, 'before'],
  [{ error: 'truncated', delay: 10 }, 'within'],
  [{ error: 'timeout' }, 'silence'],
]

const target = weigh<HostileRequest>([7, patch], [2, fc.constant(LIST)], [1, fc.constant({ ...LIST, method: 'HEAD' })])

/** A fault for one request, and that request, in one pipeline. */
export const faulted: fc.Arbitrary<readonly HostileRequest[]> = fc
  .tuple(weigh([7, pick(FAULTS)], [3, pick(BREAKS)]), target)
  .map(([[fault, breaks], request]) => {
    const operation = request.method === 'PATCH' ? 'updateInventory' : 'listInventory'
    const add: HostileRequest = {
      method: 'POST',
      target: '/_mock/faults?sandbox=SANDBOX',
      headers: [JSON_BODY],
      body: JSON.stringify({ ...fault, operation, times: 1 }),
      isFaulted: true,
    }
    return [add, { ...request, isFaulted: true, ...(breaks && { breaks }) }]
  })
