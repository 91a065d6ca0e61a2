import { createStore } from '../console/state/console-state.ts'
import type { Console } from '../console/state/create-console.ts'
import { PRESETS } from '../console/state/faults.ts'
import { useSelect, useStore } from '../console/views/hooks.ts'
import { Button } from '../console/views/parts.tsx'
import type { Shop } from './shop.tsx'

interface Parts {
  readonly page: Console
  readonly shop: Shop
}

/** What a visitor reads and does. A step is done by its button, or by hand in the shop or the console. */
interface Step {
  readonly name: string
  readonly text: string
  readonly button: string
  /** Whether the service is broken when the step begins. */
  readonly isBroken: boolean
  readonly act: (parts: Parts) => unknown
  readonly isDone: (parts: Parts) => boolean
}

const STEPS: readonly Step[] = [
  {
    name: 'Sell',
    text: 'Customers are buying, and the console shows each request and what is left. Sell one yourself.',
    button: 'Sell one',
    isBroken: false,
    act: ({ shop }) => shop.sellOne(),
    isDone: ({ shop: { store } }) => store.state.soldByHand > 0 && store.state.sales.length === 0,
  },
  {
    name: 'Break it',
    text: 'Each sale changes the stock at once. But what do customers see when the service is down?',
    button: 'Break the service',
    isBroken: false,
    act: (parts) => setBroken(parts, true),
    isDone: ({ page }) => isBroken(page),
  },
  {
    name: 'See it recover',
    text: 'Orders fail now, and wait in the shop. The console shows each failed request, and why.',
    button: 'Repair the service',
    isBroken: true,
    act: (parts) => setBroken(parts, false),
    isDone: ({ page, shop }) => !isBroken(page) && shop.store.state.sales.length === 0,
  },
]

const END = 'Recovered: every order that waited is saved. That was the demo. It ran in this page, without a server.'

export type Tour = ReturnType<typeof createTour>

/** Leads through the steps. */
export function createTour(parts: Parts) {
  const { page, shop } = parts
  const store = createStore<{ readonly step: number }>({ step: 0 })
  let hasBegun = false

  /** @param step From 1; 4 is the end, and 0 is no step. */
  async function go(step: number): Promise<void> {
    history.replaceState(null, '', `#step=${step}`)
    hasBegun = false
    shop.store.set({ soldByHand: 0 })
    store.set({ step })
    const { isBroken: wanted = isBroken(page) } = STEPS[step - 1] ?? {}
    if (wanted !== isBroken(page)) await setBroken(parts, wanted)
  }

  function look(): void {
    const { step } = store.state
    const present = STEPS[step - 1]
    if (present === undefined || !page.store.state.isReady) return
    hasBegun ||= present.isBroken === isBroken(page)
    if (hasBegun && present.isDone(parts)) void go(step + 1)
  }

  page.store.subscribe(look)
  shop.store.subscribe(look)
  return { store, go, act: () => STEPS[store.state.step - 1]?.act(parts) }
}

/** The step that a URL's fragment asks for: `#step=2`. */
export function readStep(hash: string): number | undefined {
  const [, step] = /^#step=([0-4])$/.exec(hash) ?? []
  return step === undefined ? undefined : Number(step)
}

function isBroken({ store }: Console): boolean {
  return store.state.faults.length > 0
}

async function setBroken({ page, shop }: Parts, isWanted: boolean): Promise<void> {
  if (isWanted) return page.actions.switchPreset(PRESETS[0])
  await page.actions.clearFaults()
  await shop.save()
}

/** The steps, the words of the present one, and its button. */
export function TourView({ tour, onRestart }: { tour: Tour; onRestart: () => unknown }) {
  const step = useStore(tour.store, (state) => state.step)
  const isReady = useSelect((state) => state.isReady)
  const present = STEPS[step - 1]
  const isEnd = step > STEPS.length
  return (
    <section class="tools tour" aria-label="The demo in three steps">
      <ol class="tools">
        {STEPS.map(({ name }, index) => (
          <li key={name}>
            <a href={`#step=${index + 1}`} aria-current={step === index + 1 ? 'step' : undefined}>
              <b>{index + 1}</b> {name}
            </a>
          </li>
        ))}
      </ol>
      <p role="status">{isEnd ? END : present?.text}</p>
      {present && <Button text={present.button} class="primary" run={tour.act} disabled={!isReady} />}
      <Button text="Start again" class={isEnd ? 'primary' : 'plain'} run={onRestart} />
    </section>
  )
}
