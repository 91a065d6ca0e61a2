import { render } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks'
import { canUndo } from './state/action-parts.ts'
import { type ConsoleOptions, createConsole } from './state/create-console.ts'
import { FaultsPanel } from './views/faults-panel.tsx'
import { Header } from './views/header.tsx'
import { ConsoleContext, useConsole, useKeys, useSelect } from './views/hooks.ts'
import { InventoryPanel } from './views/inventory-panel.tsx'
import { Button, Form, RemoveButton } from './views/parts.tsx'
import { RequestsPanel } from './views/requests-panel.tsx'

/** Renders the console into an element of a page with `console.css`. Returns a function that removes it again. */
export function mountConsole(element: Element, options: ConsoleOptions = {}): () => void {
  const page = createConsole(options)
  render(
    <ConsoleContext.Provider value={page}>
      <App />
    </ConsoleContext.Provider>,
    element,
  )
  return () => {
    render(null, element)
    page.stop()
  }
}

export function App() {
  const { isPart, root } = useConsole()
  const Content = isPart ? 'div' : 'main'
  const isLocked = useSelect(({ connection }) => connection === 'locked')
  const isLost = useSelect(({ connection }) => connection === 'lost')
  // Read before it is disabled, which takes the focus from it.
  const focused = useMemo(() => root.querySelector<HTMLElement>(':focus'), [isLost])
  useLayoutEffect(() => {
    const giveBack = () => document.activeElement === document.body && focused?.focus({ preventScroll: true })
    return isLost ? () => void giveBack() : undefined
  }, [isLost])
  return (
    <>
      {!isPart && (
        <a class="hidden skip" href="#content">
          Skip to the inventory
        </a>
      )}
      <fieldset class="live" role="presentation" disabled={isLost}>
        <Header />
        <Content id="content" class="content" tabIndex={-1}>
          {isLocked ? <TokenForm /> : <Panels />}
        </Content>
      </fieldset>
      <NoticeLine />
    </>
  )
}

const TABS = ['Pets', 'Requests'] as const

/** The panels appear together once everything is loaded, so that nothing shifts and no placeholder looks like data. */
function Panels() {
  const isReady = useSelect((state) => state.isReady && state.fixture !== '')
  const isLost = useSelect(({ connection }) => connection === 'lost')
  const isSearching = useSelect(({ find, opened }) => find !== '' || opened !== undefined)
  const [tab, setTab] = useState<(typeof TABS)[number]>('Pets')
  useLayoutEffect(() => {
    if (isSearching) setTab('Requests')
  }, [isSearching])
  return (
    <>
      {!isReady && !isLost && <p class="loading">Loading inventory…</p>}
      <div class="panes" hidden={!isReady}>
        <FaultsPanel />
        <fieldset class="tabs">
          <legend class="hidden">Show</legend>
          {TABS.map((name) => (
            <Button key={name} text={name} class="chip" aria-pressed={name === tab} run={() => setTab(name)} />
          ))}
        </fieldset>
        <div class={`columns columns-${tab}`}>
          <InventoryPanel />
          <RequestsPanel />
        </div>
      </div>
    </>
  )
}

function TokenForm() {
  const { actions } = useConsole()
  const wasRefused = useSelect(({ token }) => token !== '')
  return (
    <Form class="panel field token" text="Unlock" send={actions.setToken} start="once">
      <h2>Control token required</h2>
      <p>
        Enter the token that the mock was started with (<code>--control-token</code>). It is stored until you close this
        tab.
      </p>
      <label class="field">
        <span>Control token</span>
        <input
          name="token"
          type="password"
          required
          pattern="[ -~]+"
          title="Printable ASCII characters"
          autocomplete="off"
          aria-invalid={wasRefused}
          aria-describedby="token-error"
        />
      </label>
      <p id="token-error" class="error" role="alert">
        {wasRefused && 'Invalid control token.'}
      </p>
    </Form>
  )
}

/** How long a notice is shown, in milliseconds. An error, or one with Undo, stays until the next one, or until dismissed. */
const SHOWN_MS = 6000

/** Shows the last action, with Undo if possible. */
function NoticeLine() {
  const { actions } = useConsole()
  const notice = useSelect((state) => state.notice)
  const isUndoable = useSelect(canUndo)
  const isLasting = notice?.isError === true || isUndoable
  useEffect(() => {
    if (notice === undefined || isLasting) return
    const timer = setTimeout(actions.dismiss, SHOWN_MS)
    return () => clearTimeout(timer)
  }, [notice, isLasting])
  useKeys((event) => {
    if (!isUndoable || event.key !== 'z' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    void actions.undo()
  })
  return (
    <div class="notices" role={notice?.isError ? 'alert' : 'status'}>
      {notice !== undefined && (
        <div class={notice.isError ? 'tools notice notice-bad' : 'tools notice'}>
          <p>{notice.text}</p>
          {isUndoable && <RemoveButton text="Undo" title="Ctrl+Z" run={actions.undo} />}
          {isLasting && <RemoveButton text="Dismiss" run={actions.dismiss} />}
        </div>
      )}
    </div>
  )
}
