import { useEffect } from 'preact/hooks'
import { toAnswerError, toSentence } from '../console/api/control.ts'
import { type Pet, parseJson } from '../console/api/model.ts'
import { tell } from '../console/state/action-parts.ts'
import { createStore } from '../console/state/console-state.ts'
import type { Console } from '../console/state/create-console.ts'
import { sendWithKey } from '../console/state/journal.ts'
import { useConsole, useSelect, useStore } from '../console/views/hooks.ts'
import { Button } from '../console/views/parts.tsx'
import { createRandom, type Random } from '../store/generate-fixture.ts'

interface ShopState {
  readonly isOpen: boolean
  /** Whether customers are simulated. */
  readonly isBusy: boolean
  readonly pets: readonly Pet[]
  /** The number of updates without a response yet. */
  readonly saving: number
  readonly message?: Message | undefined
}

interface Message {
  readonly text: string
  /** What it is about: a pet, or else the whole shop. */
  readonly petId?: string | undefined
  /** Of a complaint. */
  readonly retry?: () => Promise<void>
}

export type Shop = ReturnType<typeof createShop>

/** How many pets are on the shop's shelf. */
const MOST_SHOWN = 50
const DELIVERY = 10
const PAUSE_MS = 900

/** A client of the service: a fictive shop, with the key of the sandbox on the page. */
export function createShop(page: Console) {
  const isOpen = new URLSearchParams(location.search).has('shop')
  const store = createStore<ShopState>({ isOpen, isBusy: false, pets: [], saving: 0 })
  let customers = new AbortController()

  async function ask<Answer>(path: string, update?: object): Promise<Answer> {
    const headers = { 'content-type': 'application/json' }
    const patch = update && { method: 'PATCH', headers, body: JSON.stringify(update) }
    const response = await sendWithKey(page, { method: 'GET', path: `/v1/inventory${path}`, ...patch })
    if (!response.ok) throw await toAnswerError(response)
    return parseJson(await response.text())
  }

  async function load(): Promise<void> {
    store.set({ pets: await ask<readonly Pet[]>('') })
    takeBack(undefined)
  }

  async function save({ petId }: Pet, quantity: number): Promise<void> {
    store.set({ saving: store.state.saving + 1 })
    try {
      const saved = await ask<Pet>(`/${petId}`, { quantity })
      store.set({ pets: store.state.pets.map((pet) => (pet.petId === petId ? saved : pet)) })
      takeBack(petId)
    } finally {
      store.set({ saving: store.state.saving - 1 })
    }
  }

  /** A complaint ends when what it is about succeeds, whoever tried it. */
  function takeBack(petId: string | undefined): void {
    const { message } = store.state
    if (message?.retry !== undefined && message.petId === petId) store.set({ message: undefined })
  }

  async function attempt(complaint: Message, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      const text = `${complaint.text} ${toSentence(error)}`
      store.set({ message: { ...complaint, text, retry: () => attempt(complaint, work) } })
    }
  }

  async function change(pet: Pet, by: number, done: string): Promise<void> {
    const { petId } = pet
    const isSoldOut = pet.quantity + by < 0
    store.set({ message: { text: isSoldOut ? `Pet ${petId} is sold out` : 'Saving…' } })
    if (isSoldOut) return
    await attempt({ text: `Sorry, pet ${petId} was not saved.`, petId }, async () => {
      await save(pet, pet.quantity + by)
      store.set({ message: { text: done } })
    })
  }

  /** A customer: most buy, some only look, and a few ask for an unknown pet or send nonsense. */
  async function visit(random: Random): Promise<void> {
    const { pets } = store.state
    const [kind, number] = [random(), 1 + Math.floor(random() * 3)]
    const pet = pets[Math.floor(random() * Math.min(pets.length, MOST_SHOWN))]
    if (pet === undefined || kind < 0.2) return load()
    if (kind < 0.3) return ask<void>('/404404', { quantity: number }).catch(() => {})
    if (kind < 0.4) return ask<void>(`/${pet.petId}`, { quantity: 'many' }).catch(() => {})
    return save(pet, pet.quantity < number ? pet.quantity + DELIVERY : pet.quantity - number)
  }

  async function simulate({ signal }: AbortController): Promise<void> {
    // The same customers each time.
    const random = createRandom(1)
    while (!signal.aborted) {
      await attempt({ text: 'Sorry, we cannot serve you.' }, () => visit(random))
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }

  function setBusy(isBusy: boolean, words = isBusy ? 'A busy shop is simulated' : 'The shop is quiet again'): void {
    customers.abort()
    customers = new AbortController()
    store.set({ isBusy })
    tell(page, words)
    if (isBusy) void simulate(customers)
  }

  function setOpen(isOpen: boolean): void {
    const address = new URL(location.href)
    address.searchParams.delete('shop')
    if (isOpen) address.searchParams.set('shop', 'open')
    history.replaceState(null, '', address)
    store.set({ isOpen })
  }

  document.addEventListener('visibilitychange', () => {
    if (document.hidden && store.state.isBusy) setBusy(false, 'The shop is quiet, because the page was hidden')
  })
  return {
    store,
    setBusy,
    setOpen,
    refresh: () => attempt({ text: 'Sorry, the stock cannot be shown.' }, load),
    sell: (pet: Pet) => change(pet, -1, `Sold one of pet ${pet.petId}`),
    restock: (pet: Pet) => change(pet, DELIVERY, `${DELIVERY} more of pet ${pet.petId}`),
  }
}

/**
 * The stock keeping of a fictive shop, where one sees what faults do to a client. It asks for the list again whenever
 * somebody else has changed the stock.
 */
export function ShopView({ shop, name = 'Corner Pet Shop' }: { shop: Shop; name?: string | undefined }) {
  const { isOpen, pets, saving, message } = useStore(shop.store, (state) => state)
  // Another Map whenever the whole stock is another one.
  const stock = useSelect(({ isReady, pets }) => isReady && pets.byId)
  useSelect(({ changes }) => changes)
  const { byId } = useConsole().store.state.pets
  const isOutdated = saving === 0 && pets.some(({ petId, quantity }) => byId.get(petId)?.quantity !== quantity)
  useEffect(() => {
    if (isOpen && stock) void shop.refresh()
  }, [isOpen, stock, isOutdated])
  if (!isOpen) return null
  return (
    <aside class="shop" aria-labelledby="shop-title">
      <div class="tools panel-head">
        <h2 id="shop-title">{name}</h2>
        <Button text="Refresh" class="small" run={shop.refresh} />
      </div>
      <div role="status" class={message?.retry ? 'tools panel-head banner notice-bad' : 'panel-head'}>
        <span>{message?.text ?? 'What do faults do to a client?'}</span>
        {message?.retry && <Button text="Try again" class="small" run={message.retry} />}
      </div>
      <ol>
        {pets.slice(0, MOST_SHOWN).map((pet) => {
          const { petId, quantity } = pet
          const left = quantity > 0 ? `${quantity.toLocaleString('en')}\u00a0left` : 'sold\u00a0out'
          return (
            <li key={petId} class="tools">
              <span>
                Pet {petId} <small>{left}</small>
              </span>
              <Button text="Sell" class="small" aria-label={`Sell one of pet ${petId}`} run={() => shop.sell(pet)} />
              <Button text="Restock" class="small" aria-label={`Restock pet ${petId}`} run={() => shop.restock(pet)} />
            </li>
          )
        })}
      </ol>
      {pets.length > MOST_SHOWN && (
        <p class="note">{(pets.length - MOST_SHOWN).toLocaleString('en')} more are not on the shelf.</p>
      )}
    </aside>
  )
}
