'use client'
import { useEffect, useState } from 'react'

export default function Page() {
  const [count, setCount] = useState(0)
  useEffect(() => {
    fetch('/v1/inventory', { headers: { authorization: 'Bearer demo-key' } })
      .then((response) => response.json())
      .then((pets) => setCount(pets.length))
  }, [])
  return <p>{count} pets</p>
}
