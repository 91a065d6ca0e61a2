import { useEffect } from 'preact/hooks'
import { AnswerError, toAnswerError } from '../console/api/control.ts'
import { type Pet, parseJson } from '../console/api/model.ts'
import { createStore } from '../console/state/console-state.ts'
import type { Console } from '../console/state/create-console.ts'
import { sendWithKey } from '../console/state/journal.ts'
import { useConsole, useSelect, useStore } from '../console/views/hooks.ts'
import { Button } from '../console/views/parts.tsx'
import type { DemoNames } from '../runtimes/shared/demo-data.ts'
import { createRandom } from '../store/generate-fixture.ts'

interface ShopState {
  /** Whether customers are simulated. */
  readonly isBusy: boolean
  /** The stock as the shop knows it. */
  readonly pets: readonly Pet[]
  /** Those that the service has not saved yet. */
  readonly sales: readonly Sale[]
  /** How many were sold with a button. */
  readonly soldByHand: number
  /** The last sale. */
  readonly news: string
  /** Whether the last request failed. The console shows why. */
  readonly isDown: boolean
}

interface Sale {
  readonly petId: string
  /** Below zero for a delivery. */
  readonly number: number
}

export type Shop = ReturnType<typeof createShop>

/** How many pets are on the shop's shelf. */
const MOST_SHOWN = 50
/** Further customers leave. */
const MOST_WAITING = 20
const DELIVERY = 10
const PAUSE_MS = 900

/** A client of the service: a fictive shop, with the key of the sandbox on the page. Sales wait for a broken service. */
export function createShop(page: Console, names: DemoNames) {
  const store = createStore<ShopState>({
    isBusy: false,
    pets: [],
    sales: [],
    soldByHand: 0,
    news: 'Nothing sold yet',
    isDown: false,
  })
  // The same customers each time.
  const random = createRandom(1)
  let isSaving = false

  const nameOf = (petId: string): string => names[petId]?.name ?? `Pet ${petId}`

  async function ask<Answer>(path: string, update?: object): Promise<Answer> {
    const headers = { 'content-type': 'application/json' }
    const patch = update && { method: 'PATCH', headers, body: JSON.stringify(update) }
    const response = await sendWithKey(page, { method: 'GET', path: `/v1/inventory${path}`, ...patch })
    if (!response.ok) throw await toAnswerError(response)
    return parseJson(await response.text())
  }

  async function load(): Promise<void> {
    try {
      store.set({ pets: await ask<readonly Pet[]>('') })
      if (store.state.sales.length === 0) store.set({ isDown: false })
    } catch {
      store.set({ isDown: true })
    }
  }

  /** Saves the sales, one after the other, until one fails. */
  async function save(): Promise<void> {
    if (isSaving) return
    isSaving = true
    for (let [sale] = store.state.sales; sale !== undefined; [sale] = store.state.sales) {
      const isSaved = await saveOne(sale)
      if (!isSaved) break
    }
    isSaving = false
  }

  async function saveOne(sale: Sale): Promise<boolean> {
    const { petId, number } = sale
    const quantity = store.state.pets.find((pet) => pet.petId === petId)?.quantity ?? number
    const rest = () => store.state.sales.filter((each) => each !== sale)
    try {
      const saved = await ask<Pet>(`/${petId}`, { quantity: quantity - number })
      const pets = store.state.pets.map((pet) => (pet.petId === petId ? saved : pet))
      const news = number > 0 ? `Sold ${number} × ${nameOf(petId)}` : `${-number} × ${nameOf(petId)} arrived`
      store.set({ pets, news, isDown: false, sales: rest() })
      return true
    } catch (error) {
      const isRefused = error instanceof AnswerError && (error.status ?? 400) < 500
      // The others come first next time, if only this pet's updates fail.
      store.set({ isDown: true, sales: isRefused ? rest() : [...rest(), sale] })
      return false
    }
  }

  /** What is left of a pet when the sales are saved. */
  function toLeft({ petId, quantity }: Pet): number {
    return store.state.sales.reduce((left, sale) => (sale.petId === petId ? left - sale.number : left), quantity)
  }

  /** Sells a pet, or orders more if there are too few. */
  function sell(pet: Pet, number: number): Promise<void> {
    const sale = { petId: pet.petId, number: toLeft(pet) < number ? -DELIVERY : number }
    store.set({ sales: [...store.state.sales, sale] })
    return save()
  }

  function sellByHand(pet: Pet): Promise<void> {
    store.set({ soldByHand: store.state.soldByHand + 1 })
    return sell(pet, 1)
  }

  /** A customer: most buy, and some only look. */
  async function visit(): Promise<void> {
    const { isBusy, pets, sales, isDown } = store.state
    if (isSaving || document.hidden) return
    const pet = pets[Math.floor(random() * Math.min(pets.length, MOST_SHOWN))]
    const number = Math.floor(random() * 4)
    if (isBusy && pet !== undefined && number > 0 && sales.length < MOST_WAITING) await sell(pet, number)
    else if (sales.length > 0) await save()
    else if (isBusy || isDown) await load()
  }

  setInterval(visit, PAUSE_MS)
  return {
    store,
    names,
    nameOf,
    load,
    save,
    toLeft,
    sellByHand,
    /** Sells the first pet that is left. */
    async sellOne(): Promise<void> {
      const { pets } = store.state
      const pet = pets.find((each) => toLeft(each) > 0) ?? pets[0]
      if (pet !== undefined) await sellByHand(pet)
    },
  }
}

/** The shop, where one sees what faults do to a client. It asks for the pets again if somebody else changed them. */
export function ShopView({ shop, title = 'Corner Pet Shop' }: { shop: Shop; title?: string | undefined }) {
  const { isBusy, pets, sales, news, isDown } = useStore(shop.store, (state) => state)
  // Another Map whenever the whole stock is another one.
  const stock = useSelect(({ isReady, pets }) => isReady && pets.byId)
  useSelect(({ changes }) => changes)
  const { byId } = useConsole().store.state.pets
  const isOutdated = sales.length === 0 && pets.some(({ petId, quantity }) => byId.get(petId)?.quantity !== quantity)
  useEffect(() => {
    if (stock) shop.store.set({ pets: [...stock.values()], sales: [] })
  }, [stock])
  useEffect(() => {
    if (isOutdated) void shop.load()
  }, [isOutdated, pets])
  const count = sales.length === 1 ? 'One sale waits' : `${sales.length} sales wait`
  return (
    <aside class="shop" aria-labelledby="shop-title">
      <div class="tools">
        <h2 id="shop-title">{title}</h2>
        <Button
          text={isBusy ? 'Pause customers' : 'Let customers in'}
          class="small"
          run={() => shop.store.set({ isBusy: !isBusy })}
        />
      </div>
      <div class={isDown ? 'news notice-bad' : 'news'}>
        <p role="status">{isDown ? 'Sorry, we cannot sell right now.' : 'We are open.'}</p>
        <p>{sales.length > 0 && isDown ? `${count} until we are back.` : news}</p>
      </div>
      <ol class="shelf">
        {pets.slice(0, MOST_SHOWN).map((pet) => {
          const left = shop.toLeft(pet)
          const name = shop.nameOf(pet.petId)
          const word = left > 0 ? 'Sell' : 'Restock'
          return (
            <li key={pet.petId}>
              <b>{name}</b>
              <span>{shop.names[pet.petId]?.price}</span>
              <small>{left > 0 ? `${left.toLocaleString('en')} left` : 'sold out'}</small>
              <Button text={word} class="small" aria-label={`${word} ${name}`} run={() => shop.sellByHand(pet)} />
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
