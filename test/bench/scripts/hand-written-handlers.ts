import { AUTHORIZATION, TEN_PETS, type WirePet } from '../wire.ts'

type Msw = Pick<typeof import('msw'), 'http' | 'HttpResponse'>

/** The handlers that one would write oneself, for either msw: a stateful list and an update, both with a key. */
export function createHandWrittenHandlers({ http, HttpResponse }: Msw, base: string) {
  const pets = new Map<number, WirePet>(TEN_PETS.map((pet) => [pet.petId, pet]))
  const isRefused = (request: Request): boolean => request.headers.get('authorization') !== AUTHORIZATION
  const refuse = () => HttpResponse.json({ code: 'unauthorized' }, { status: 401 })
  return [
    http.get(`${base}/inventory`, ({ request }) =>
      isRefused(request) ? refuse() : HttpResponse.json([...pets.values()]),
    ),
    http.patch(`${base}/inventory/:petId`, async ({ request, params }) => {
      if (isRefused(request)) return refuse()
      const { quantity } = (await request.json()) as { quantity: number }
      const pet = pets.get(Number(params['petId']))
      if (!Number.isInteger(quantity)) return HttpResponse.json({ code: 'invalid_request' }, { status: 400 })
      if (pet === undefined) return HttpResponse.json({ code: 'not_found' }, { status: 404 })
      const updated = { ...pet, quantity }
      pets.set(pet.petId, updated)
      return HttpResponse.json(updated)
    }),
  ]
}
