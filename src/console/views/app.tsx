import type { TargetedSubmitEvent } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'
import { FaultsPanel } from './faults-panel.tsx'
import { Header } from './header.tsx'
import { useConsole, useSelect } from './hooks.ts'
import { InventoryPanel } from './inventory-panel.tsx'
import { NoticeLine } from './notice-line.tsx'
import { RequestsPanel } from './requests-panel.tsx'

/** The whole page. */
export function App() {
  const isLocked = useSelect(({ connection }) => connection === 'locked')
  return (
    <>
      <a class="skip" href="#content">
        Skip to the inventory
      </a>
      <Header />
      <main id="content" tabIndex={-1}>
        {isLocked ? <TokenForm /> : <Panels />}
      </main>
      <NoticeLine />
    </>
  )
}

const TABS = ['Pets', 'Requests'] as const

/** The panels appear together once everything is loaded, so that nothing shifts and no placeholder looks like data. */
function Panels() {
  const isReady = useSelect((state) => state.isReady && state.petCount !== undefined)
  const isSearching = useSelect(({ find, opened }) => find !== '' || opened !== undefined)
  const [tab, setTab] = useState<(typeof TABS)[number]>('Pets')
  useLayoutEffect(() => {
    if (isSearching) setTab('Requests')
  }, [isSearching])
  return (
    <>
      {!isReady && <p class="loading">Loading inventory…</p>}
      <div hidden={!isReady}>
        <FaultsPanel />
        <fieldset class="tabs">
          <legend class="hidden">Show</legend>
          {TABS.map((name) => (
            <button key={name} type="button" aria-pressed={name === tab} onClick={() => setTab(name)}>
              {name}
            </button>
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

/** The form for the control token. */
function TokenForm() {
  const { actions } = useConsole()
  const wasRefused = useSelect(({ token }) => token !== '')
  const send = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    actions.setToken(String(new FormData(event.currentTarget).get('token')))
  }
  return (
    <form class="panel token" onSubmit={send}>
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
          ref={(input) => input?.focus()}
        />
      </label>
      <p id="token-error" class="error" role="alert">
        {wasRefused && 'Invalid control token.'}
      </p>
      <button type="submit" class="primary">
        Unlock
      </button>
    </form>
  )
}
