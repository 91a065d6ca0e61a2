import { render } from 'preact'
import { DEFAULT_API_KEY } from '../auth/authenticator.ts'
import { App } from '../console/mount-console.tsx'
import { type Console, createConsole } from '../console/state/create-console.ts'
import { ConsoleContext, useStore } from '../console/views/hooks.ts'
import { Button } from '../console/views/parts.tsx'
import { explainUnknown } from '../http/quote.ts'
import type { PersistWarning } from '../runtimes/browser.ts'
import { DEMO_DATA_ID, type DemoData } from '../runtimes/shared/demo-data.ts'
import { toService } from '../service/mock.ts'
import { createDemo } from './create-demo.ts'
import { copyLink, type LinkedState, openState, parseHash, STATE_HASH } from './link.ts'
import { createShop, type Shop, ShopView } from './shop.tsx'

const PROBLEMS = {
  quarantined: 'The state of an earlier visit cannot be read. It was quarantined, and the demo starts from the seed.',
  'in-memory': 'Changes are no longer kept. The demo still works, but changes are lost when you reload the page.',
} as const

const folder = new URL('.', location.href)
const given: DemoData | null = JSON.parse(document.getElementById(DEMO_DATA_ID)?.textContent ?? 'null')
const data: DemoData = given ?? { id: '', apiKey: DEFAULT_API_KEY, fixtures: {} }
const demo = createDemo(folder, data)

document.body.replaceChildren()
render(<DemoPage />, document.body)
// Not awaited: the files that the start loads wait for this one.
void start()

async function start(): Promise<void> {
  if (!(await demo.start())) return
  const page = await openConsole()
  render(<DemoPage workbench={{ page, shop: createShop(page) }} />, document.body)
  // The browser does not load the page again if only the fragment changes.
  addEventListener('hashchange', () => location.hash.startsWith(STATE_HASH) && location.reload())
}

/** Shows the console with what the page's URL asks for: a fixture or a state, once, so that later changes are kept. */
async function openConsole(): Promise<Console> {
  const address = new URL(location.href)
  const fixture = address.searchParams.get('fixture')
  const { names } = toService(demo.mock).sandboxes.seeds
  let problem =
    fixture === null || names.includes(fixture)
      ? undefined
      : `The fixture “${fixture}” in the address of this page ${explainUnknown(fixture, names)}`
  let state: LinkedState | undefined
  if (problem === undefined) address.searchParams.delete('fixture')
  if (address.hash.startsWith(STATE_HASH)) {
    try {
      state = await parseHash(address.hash)
    } catch (error) {
      problem = `${(error as Error).message} The demo opens without it.`
    }
    address.hash = ''
  }
  history.replaceState(null, '', address)
  const page = createConsole({
    origin: folder.href,
    copyForms: ['fetch', 'test'],
    title: data.title,
    apiKey: data.apiKey,
    keyAdvice: `Enter ${data.apiKey}, the key of this demo.`,
    problem,
    copyLink: () => copyLink(page, demo.mock),
  })
  // The name of the sandbox may be the problem.
  if (page.store.state.notice !== undefined) return page
  if (state !== undefined) openState(page, demo.mock, state)
  else if (fixture !== null) void page.actions.loadFixture(fixture)
  return page
}

/** The bar that says that this is a demo, and below it, once the mock runs, the console with a shop beside it. */
function DemoPage({ workbench }: { workbench?: { page: Console; shop: Shop } }) {
  const { hasFailed, warnings } = useStore(demo.store, (state) => state)
  if (hasFailed) return <DemoFailure />
  return (
    <>
      <section class="tools demo" aria-label="About this demo">
        <p class="demo-words">
          <strong>Demo.</strong> The service runs inside this page and needs no network.{' '}
          {warnings.every(({ kind }) => kind !== 'in-memory') &&
            'Changes stay in this browser and are shared by its tabs.'}
        </p>
        {workbench && <DemoTools {...workbench} />}
      </section>
      <DemoProblems warnings={warnings} />
      {workbench && (
        <ConsoleContext.Provider value={workbench.page}>
          <div class="stage">
            <ShopView shop={workbench.shop} name={data.title} />
            <div id="console">
              <App />
            </div>
          </div>
        </ConsoleContext.Provider>
      )}
    </>
  )
}

/** The shop, and the way back to the seed. */
function DemoTools({ page, shop }: { page: Console; shop: Shop }) {
  const { isOpen, isBusy } = useStore(shop.store, (state) => state)
  return (
    <div class="tools">
      <Button text="Shop" class="chip" aria-pressed={isOpen} run={() => shop.setOpen(!isOpen)} />
      <Button text="Simulate a busy shop" class="chip" aria-pressed={isBusy} run={() => shop.setBusy(!isBusy)} />
      <Button text="Start again from the seed" class="small" run={() => demo.startAgain(page)} />
    </div>
  )
}

function DemoFailure() {
  return (
    <main class="demo-failure">
      <h1>The demo cannot run here</h1>
      <p role="alert">
        Its service worker needs https or localhost, a window that is not private, and every file of the demo. The
        browser's console has the reason.
      </p>
      <Button text="Try again" class="primary" run={() => location.reload()} />
    </main>
  )
}

function DemoProblems({ warnings }: { warnings: readonly PersistWarning[] }) {
  return (
    <section class="demo-problems" role="alert">
      {warnings.map((warning) => (
        <p key={warning.message} class="banner">
          {PROBLEMS[warning.kind]} Reason: {warning.reason}.
        </p>
      ))}
    </section>
  )
}
