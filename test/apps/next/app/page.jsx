import { headers } from 'next/headers'
import { API } from './api.js'
import { Book } from './book.jsx'

export default async function Page() {
  const baggage = (await headers()).get('baggage') ?? ''
  const response = await fetch(API, { headers: { authorization: 'Bearer demo-key', baggage }, cache: 'no-store' })
  const [{ quantity }] = await response.json()
  return (
    <main>
      <p>{quantity} in stock</p>
      <Book />
    </main>
  )
}
