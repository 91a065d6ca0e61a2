import type { PetStatus } from '../../inventory/pet.ts'
import type { CheckSession } from './check-session.ts'
import type { CaseSource, ConformanceCase } from './conformance-case.ts'
import { createBody, defineUpdate, explain, type PetChoice } from './define-update.ts'

/** Nothing but a new quantity changes: not even at 0, or from 0. */
export function keepsStatus(status: PetStatus): ConformanceCase[] {
  const on: PetChoice = ({ petsByStatus }) => petsByStatus.get(status) ?? `no pet is ${status}`
  return [
    setsNext(`a pet that is ${status} stays so with a new quantity`, on),
    defineUpdate({
      title: `a pet that is ${status} stays so with quantity 0`,
      source: 'decision',
      expected: 200,
      on,
      request: () => ({ body: '{"quantity":0}' }),
    }),
  ]
}

/** Correct bodies that careless services read as something else. */
export function defineOddBodyCases(): ConformanceCase[] {
  const usual = { expected: 200, source: 'decision' } as const
  return [
    defineUpdate({
      title: 'a body without a Content-Length is 200',
      expected: 200,
      request: (session) => ({ isChunked: true, body: createBody(session) }),
    }),
    defineUpdate({
      ...usual,
      title: 'a status beside quantity is ignored',
      request: (session) => {
        const status = session.pet?.status === 'sold' ? 'available' : 'sold'
        return { body: JSON.stringify({ quantity: session.nextQuantity(), status }) }
      },
    }),
    defineUpdate({
      ...usual,
      title: "another pet's petId beside quantity is ignored",
      obstacle: (session) => (session.otherPet === undefined ? explain('there is no second pet', session) : undefined),
      request: (session) => ({ body: `{"petId":${session.otherPet?.petId},"quantity":${session.nextQuantity()}}` }),
    }),
  ]
}

/** Sets a quantity that no pet has. */
export function setsNext(title: string, on: PetChoice): ConformanceCase {
  return defineUpdate({
    title,
    expected: 200,
    on,
    request: (session) => ({ body: createBody(session) }),
  })
}

/** The specification neither limits `quantity` nor mentions other properties of the body. */
export function takes(what: string, body: string): ConformanceCase {
  return defineUpdate({ title: `${what} is 200`, source: 'decision', expected: 200, request: () => ({ body }) })
}

export function refuses(
  what: string,
  body: string | ((session: CheckSession) => string) | undefined,
  { source = 'specification', ...rest }: { source?: CaseSource; contentType?: string | null } = {},
): ConformanceCase {
  return defineUpdate({
    title: `${what} is 400`,
    source,
    expected: 400,
    request: (session) => ({
      // An empty body says that it is JSON, too.
      contentType: 'application/json',
      ...rest,
      ...(body !== undefined && { body: typeof body === 'string' ? body : body(session) }),
    }),
  })
}
