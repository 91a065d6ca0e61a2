import { AnswerError, toAnswerError } from '../console/api/control.ts'
import { type Pet, parseJson } from '../console/api/model.ts'
import { createStore } from '../console/state/console-state.ts'
import type { Console } from '../console/state/create-console.ts'
import { sendWithKey } from '../console/state/journal.ts'
import { applyPetEvent } from '../console/state/pets.ts'
import { useSelect, useStore } from '../console/views/hooks.ts'
import { Button } from '../console/views/parts.tsx'
import type { DemoNames } from '../runtimes/shared/demo-data.ts'
import { createRandom } from '../store/generate-fixture.ts'

interface ShopState {
  /** Whether customers are simulated. */
  readonly isBusy: boolean
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
/** After this time without a response, a sale has failed. */
const PATIENCE_MS = 3000

/** A client of the service: a fictive shop, with the key of the sandbox on the page. Sales wait for a broken service. */
export function createShop(page: Console, names: DemoNames) {
  const store = createStore<ShopState>({
    isBusy: false,
    sales: [],
    soldByHand: 0,
    news: 'Nothing sold yet',
    isDown: false,
  })
  // The same customers each time.
  const random = createRandom(1)
  let isSaving = false

  const nameOf = (petId: string): string => names[petId]?.name ?? `Pet ${petId}`

  async function ask(path: string, update?: object): Promise<string> {
    const headers = { 'content-type': 'application/json' }
    const patch = update && { method: 'PATCH', headers, body: JSON.stringify(update) }
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const response = await sendWithKey(page, {
      method: 'GET',
      path: `${page.store.state.basePath}/inventory${path}`,
      signal,
      ...patch,
    })
    if (!response.ok) throw await toAnswerError(response)
    return response.text()
  }

  async function look(): Promise<void> {
    const isDown = await ask('').then(
      () => store.state.sales.length > 0 && store.state.isDown,
      () => true,
    )
    store.set({ isDown })
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
    const quantity = page.store.state.pets.byId.get(petId)?.quantity ?? number
    const rest = () => store.state.sales.filter((each) => each !== sale)
    try {
      const pet = parseJson<Pet>(await ask(`/${petId}`, { quantity: quantity - number }))
      // The next sale may come before the event.
      page.store.set({ pets: applyPetEvent(page.store.state.pets, { pet }) })
      const news = number > 0 ? `Sold ${number} × ${nameOf(petId)}` : `${-number} × ${nameOf(petId)} arrived`
      store.set({ news, isDown: false, sales: rest() })
      return true
    } catch (error) {
      const isRefused = error instanceof AnswerError && (error.status ?? 400) < 500
      const { sales } = store.state
      // Those of other pets come first next time, if only this pet's updates fail.
      const isOf = (each: Sale): boolean => each.petId === petId
      const inTurn = [...sales.filter((each) => !isOf(each)), ...sales.filter(isOf)]
      store.set({ isDown: true, sales: isRefused ? rest() : inTurn })
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
    const { isBusy, sales, isDown } = store.state
    const pets = [...page.store.state.pets.byId.values()]
    const pet = pets[Math.floor(random() * Math.min(pets.length, MOST_SHOWN))]
    const number = Math.floor(random() * 4)
    if (isBusy && pet !== undefined && number > 0 && sales.length < MOST_WAITING) await sell(pet, number)
    else if (sales.length > 0) await save()
    else if (isBusy || isDown) await look()
  }

  /** Customers come one by one, and none while nobody sees them. */
  async function stayOpen(): Promise<void> {
    if (!document.hidden) await visit()
    setTimeout(stayOpen, PAUSE_MS)
  }

  setTimeout(stayOpen, PAUSE_MS)
  return {
    store,
    names,
    nameOf,
    save,
    toLeft,
    sellByHand,
    /** Sells the first pet that is left. */
    async sellOne(): Promise<void> {
      const pets = [...page.store.state.pets.byId.values()]
      const pet = pets.find((each) => toLeft(each) > 0) ?? pets[0]
      if (pet !== undefined) await sellByHand(pet)
    },
  }
}

/** The shop, where one sees what faults do to a client. */
export function ShopView({ shop, title = 'Corner Pet Shop' }: { shop: Shop; title?: string | undefined }) {
  const { isBusy, sales, news, isDown } = useStore(shop.store, (state) => state)
  const pets = [...useSelect((state) => state.pets).byId.values()]
  const count = sales.length === 1 ? 'One order waits' : `${sales.length} orders wait`
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
