import { render } from 'preact'
import { DEFAULT_API_KEY } from '../auth/authenticator.ts'
import { App } from '../console/mount-console.tsx'
import { tell } from '../console/state/action-parts.ts'
import { type Console, createConsole } from '../console/state/create-console.ts'
import { ConsoleContext } from '../console/views/hooks.ts'
import { Button } from '../console/views/parts.tsx'
import { explainUnknown } from '../http/quote.ts'
import type { PersistWarning, RunningWorker } from '../runtimes/browser.ts'
import { DEMO_DATA_ID, type DemoData, type DemoNames } from '../runtimes/shared/demo-data.ts'
import { isShippedFixture } from '../store/seed.ts'
import { copyLink, openLink, STATE_HASH } from './link.ts'
import shippedNames from './names.json' with { type: 'json' }
import { createShop, type Shop, ShopView } from './shop.tsx'
import { startDemo } from './start-demo.ts'
import { createTour, readStep, type Tour, TourView } from './tour.tsx'

const PROBLEMS = {
  quarantined: 'The changes of an earlier visit cannot be read. The demo starts again.',
  'in-memory': 'Changes are no longer kept. The demo works, but a reload loses them.',
} as const

const folder = new URL('.', location.href)
const given: DemoData | null = JSON.parse(document.getElementById(DEMO_DATA_ID)?.textContent ?? 'null')
const data: DemoData = given ?? { id: '', apiKey: DEFAULT_API_KEY, fixtures: {} }
const isShipped = Object.keys(data.fixtures).every(isShippedFixture)
const names: DemoNames = data.names ?? (isShipped ? shippedNames : {})

document.body.replaceChildren()
// Not awaited: the files that the start loads wait for this one.
void start()

async function start(): Promise<void> {
  let page: Console | undefined
  let problem: string | undefined
  function onPersistWarning({ kind, message }: PersistWarning): void {
    console.warn(message)
    problem = PROBLEMS[kind]
    page?.store.set({ notice: { text: problem, isError: true } })
  }
  let worker: RunningWorker | undefined
  try {
    worker = await startDemo({ ...data, folder, onPersistWarning })
    if (worker === undefined) return
  } catch (error) {
    // For whoever builds the demo. A visitor is told what it needs.
    console.error(error)
    return render(<DemoFailure />, document.body)
  }
  const { search, hash } = location
  page = createConsole({
    origin: location.origin,
    copyForms: ['fetch', 'test'],
    title: data.title,
    nameOf: (petId) => names[petId]?.name,
    apiKey: data.apiKey,
    keyAdvice: `Enter ${data.apiKey}, the key of this demo.`,
    copyLink: () => page && copyLink(page),
  })
  const shop = createShop(page, names)
  const tour = createTour({ page, shop })
  render(<DemoPage page={page} worker={worker} shop={shop} tour={tour} />, document.body)
  addEventListener('hashchange', () => {
    const step = readStep(location.hash)
    if (step !== undefined) void tour.go(step)
    // The browser does not load the page again if only the fragment changes.
    if (location.hash.startsWith(STATE_HASH)) location.reload()
  })
  // A link to something else shows that, without customers who change it.
  const isElsewhere = /[?&](fixture|sandbox|find|request)=/.test(search) || hash.startsWith(STATE_HASH)
  const step = readStep(hash) ?? (isElsewhere ? 0 : 1)
  shop.store.set({ isBusy: step > 0 })
  await tour.go(step)
  await openState(page, { search, hash })
  if (problem !== undefined) page.store.set({ notice: { text: problem, isError: true } })
}

/** Opens the fixture or the state of a link once, so that later changes are kept. */
async function openState(page: Console, { search, hash }: Pick<Location, 'search' | 'hash'>): Promise<void> {
  const address = new URL(location.href)
  address.searchParams.delete('fixture')
  history.replaceState(null, '', address)
  await untilReady(page)
  // The name of the sandbox is wrong.
  if (page.store.state.notice !== undefined) return
  const fixture = new URLSearchParams(search).get('fixture')
  const known = page.store.state.fixtures.map(({ name }) => name)
  if (hash.startsWith(STATE_HASH)) await openLink(page, hash)
  else if (fixture === null) return
  else if (known.includes(fixture)) await page.actions.loadFixture(fixture)
  else {
    const text = `The fixture “${fixture}” in the address of this page ${explainUnknown(fixture, known)}`
    page.store.set({ notice: { text, isError: true } })
  }
}

function untilReady({ store }: Console): Promise<void> {
  return new Promise((resolve) => {
    const look = (): unknown => store.state.isReady && resolve()
    store.subscribe(look)
    look()
  })
}

interface Workbench {
  readonly page: Console
  readonly worker: RunningWorker
  readonly shop: Shop
  readonly tour: Tour
}

/** The steps, and below them the console with a shop beside it. */
function DemoPage({ page, worker, shop, tour }: Workbench) {
  async function startAgain(): Promise<void> {
    await worker.forget()
    page.actions.find('')
    tell(page, 'Started again')
    shop.store.set({ isBusy: true, sales: [] })
    await tour.go(1)
  }
  return (
    <ConsoleContext.Provider value={page}>
      <TourView tour={tour} onRestart={startAgain} />
      <div class="stage">
        <ShopView shop={shop} title={data.title} />
        <div id="console">
          <App />
        </div>
      </div>
    </ConsoleContext.Provider>
  )
}

function DemoFailure() {
  return (
    <main class="panel field token">
      <h1>The demo cannot run here</h1>
      <p role="alert">
        It needs https or localhost, a window that is not private, and every file of the demo. The browser's console has
        the reason.
      </p>
      <Button text="Try again" class="primary" run={() => location.reload()} />
    </main>
  )
}
