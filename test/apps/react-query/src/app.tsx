import { useMutation, useQuery } from '@tanstack/react-query'

interface Pet {
  readonly petId: number
  readonly quantity: number
}

const HEADERS = { authorization: 'Bearer demo-key', 'content-type': 'application/json' }

async function listPets(): Promise<readonly Pet[]> {
  const response = await fetch('/v1/inventory', { headers: HEADERS })
  return response.json()
}

async function book({ petId, quantity }: Pet): Promise<void> {
  const body = JSON.stringify({ quantity: quantity + 1 })
  await fetch(`/v1/inventory/${petId}`, { method: 'PATCH', headers: HEADERS, body })
}

/** Nothing but an invalidation makes it ask again. */
export function App() {
  const { data: pets = [] } = useQuery({
    queryKey: ['inventory'],
    queryFn: listPets,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const { mutate } = useMutation({ mutationFn: book })
  return (
    <ul>
      {pets.map((pet) => (
        <li key={pet.petId}>
          <button type="button" onClick={() => mutate(pet)}>
            Pet {pet.petId}: {pet.quantity} left
          </button>
        </li>
      ))}
    </ul>
  )
}
