import axios from 'axios'
import { useEffect, useState } from 'react'

interface Pet {
  readonly petId: number
  readonly quantity: number
}

const HEADERS = { authorization: 'Bearer demo-key' }

export function App() {
  const [pets, setPets] = useState<readonly Pet[]>([])
  const [booked, setBooked] = useState(0)

  useEffect(() => {
    fetch('/v1/inventory', { headers: HEADERS })
      .then((answer) => answer.json())
      .then(setPets)
  }, [booked])

  async function book({ petId, quantity }: Pet) {
    await axios.patch(`/v1/inventory/${petId}`, { quantity: quantity + 1 }, { headers: HEADERS })
    setBooked(booked + 1)
  }

  return (
    <main>
      <h1>Inventory</h1>
      <p>{booked} booked</p>
      <ul>
        {pets.map((pet) => (
          <li key={pet.petId}>
            <button type="button" onClick={() => book(pet)}>
              Pet {pet.petId}: {pet.quantity} left
            </button>
          </li>
        ))}
      </ul>
    </main>
  )
}
