import type { TargetedSubmitEvent } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'
import { FaultsPanel } from './faults-panel.tsx'
import { Header } from './header.tsx'
import { useConsole, useSelect } from './hooks.ts'
import { InventoryPanel } from './inventory-panel.tsx'
import { NoticeLine } from './notice-line.tsx'
import { Button } from './parts.tsx'
import { RequestsPanel } from './requests-panel.tsx'

export function App() {
  const { isPart } = useConsole()
  const Content = isPart ? 'div' : 'main'
  const isLocked = useSelect(({ connection }) => connection === 'locked')
  return (
    <>
      {!isPart && (
        <a class="hidden skip" href="#content">
          Skip to the inventory
        </a>
      )}
      <Header />
      <Content id="content" class="content" tabIndex={-1}>
        {isLocked ? <TokenForm /> : <Panels />}
      </Content>
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
            <Button key={name} text={name} aria-pressed={name === tab} run={() => setTab(name)} />
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
  const send = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    actions.setToken(String(new FormData(event.currentTarget).get('token')))
  }
  return (
    <form class="panel field token" onSubmit={send}>
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
      <Button text="Unlock" type="submit" class="primary" />
    </form>
  )
}
