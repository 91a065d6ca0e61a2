'use client'
import { useState } from 'react'
import { API } from './api.js'

export function Book() {
  const [booked, setBooked] = useState()
  async function book() {
    const response = await fetch(`${API}/1`, {
      method: 'PATCH',
      headers: { authorization: 'Bearer demo-key', 'content-type': 'application/json' },
      body: JSON.stringify({ quantity: 20 }),
    })
    setBooked((await response.json()).quantity)
  }
  return (
    <button type="button" onClick={book}>
      {booked === undefined ? 'Book 20' : `${booked} booked`}
    </button>
  )
}
