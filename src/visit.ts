import { isBroken, type Reply } from './contract/broken-answer.ts'
import { BODY_TOO_LARGE, type Call, collectBody } from './contract/call.ts'
import type { Strike } from './control/faults.ts'
import { type Exchange, LARGEST_JOURNAL_BODY } from './control/journal-entry.ts'
import type { SandboxRoom } from './control/sandbox.ts'
import { type Operation, toRoute } from './handlers/route.ts'
import type { Credential } from './inventory/keyring.ts'
import { isPetKey } from './inventory/pet-id.ts'
import type { BaseUrl } from './mock-options.ts'

/** One call on its way through the stages. */
export interface Visit {
  readonly call: Call
  readonly room: SandboxRoom
  readonly credential: Credential
  /** The call's path below the base path. */
  readonly path: string
  readonly operation: Operation | undefined
  readonly petId: string | undefined
  strike: Strike | undefined
  /** The request's body, as far as it was read. */
  body: Uint8Array | undefined
}

export function createVisit(
  call: Call,
  { room, credential, base }: { room: SandboxRoom; credential: Credential; base: BaseUrl },
): Visit {
  const path = toPathBelow(base, call.url)
  const route = toRoute(call.method, path)
  const [operation, petId] = route.kind === 'found' ? [route.route, route.params['petId']] : []
  const isKey = petId !== undefined && isPetKey(petId)
  return {
    call,
    room,
    credential,
    path,
    operation,
    petId: isKey ? petId : undefined,
    strike: undefined,
    body: undefined,
  }
}

/** The path below the base path; a path outside it stays as it is and leads nowhere. */
function toPathBelow(base: BaseUrl, { pathname }: URL): string {
  return pathname.startsWith(`${base.path}/`) ? pathname.slice(base.path.length) : `//${pathname}`
}

/** What the journal keeps of a visit. */
export function toExchange(
  visit: Visit,
  { reply, time, duration }: { reply: Reply | undefined; time: number; duration: number },
): Exchange {
  const { call, room, operation, petId, strike } = visit
  return {
    time,
    duration,
    sandbox: room.controls.name,
    operation: operation?.id,
    petId,
    call,
    // A body that a handler of the user's own answered may still be on its way.
    get body() {
      return visit.body
    },
    answer: toNoted(reply),
    fault: strike && {
      id: strike.id,
      ...(strike.status !== undefined && { status: strike.status }),
      ...(strike.error !== undefined && { error: strike.error }),
      inContract: strike.status === undefined || isListed(operation, strike.status),
    },
  }
}

function isListed(operation: Operation | undefined, status: number): boolean {
  const statuses: readonly number[] = operation?.statuses ?? []
  return statuses.includes(status)
}

function toNoted(reply: Reply | undefined): Exchange['answer'] {
  if (reply === undefined) return undefined
  if (isBroken(reply)) return reply.breakage === 'truncated' ? reply.answer : undefined
  if (!(reply instanceof Response)) return reply
  if (reply.type === 'error') return undefined
  const noted = { status: reply.status, headers: Object.fromEntries(reply.headers), body: new Uint8Array(0) }
  const copy = reply.clone().body
  if (copy !== null)
    void readBeginning(copy)
      .then((body) => Object.assign(noted, { body }))
      .catch(() => {})
  return noted
}

/** The first bytes of a stream that may have no end; the rest is not waited for. */
async function readBeginning(stream: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const body = await collectBody(stream, LARGEST_JOURNAL_BODY)
  return body === BODY_TOO_LARGE ? new TextEncoder().encode('(longer than the journal keeps)') : body
}
