import type { TargetedSubmitEvent } from 'preact'
import { useEffect } from 'preact/hooks'
import { DEFAULT_SANDBOX } from '../api/sandbox-key.ts'
import { FaultsPanel } from './faults-panel.tsx'
import { Header } from './header.tsx'
import { useConsole, useSelect } from './hooks.ts'
import { InventoryPanel } from './inventory-panel.tsx'
import { JournalPanel } from './journal-panel.tsx'
import { NoticeLine, StatusStrip } from './status-strip.tsx'
import { TrafficPanel } from './traffic-panel.tsx'

/** The whole page. */
export function App() {
  const isLocked = useSelect(({ connection }) => connection === 'locked')
  useSandboxInAddress()
  return (
    <>
      <a class="skip" href="#content">
        Skip to the inventory
      </a>
      <Header />
      <StatusStrip />
      <main id="content" tabIndex={-1}>
        {isLocked ? <TokenForm /> : <Panels />}
      </main>
      <NoticeLine />
      <Hatching />
    </>
  )
}

/** The panels appear together once everything is loaded, so that nothing shifts and no placeholder looks like data. */
function Panels() {
  const isReady = useSelect((state) => state.isReady && state.petCount !== undefined)
  return (
    <>
      {!isReady && <p class="loading">Loading inventory…</p>}
      <div class="columns" hidden={!isReady}>
        <InventoryPanel />
        <div class="column">
          <FaultsPanel />
          <TrafficPanel />
          <JournalPanel />
        </div>
      </div>
    </>
  )
}

/** Puts the sandbox into the page's URL and title, so that users can bookmark, share and find it. */
function useSandboxInAddress(): void {
  const { title } = useConsole()
  const sandbox = useSelect((state) => state.sandbox)
  useEffect(() => {
    document.title = sandbox === DEFAULT_SANDBOX ? title : `${sandbox} · ${title}`
    const address = new URL(location.href)
    address.searchParams.delete('sandbox')
    if (sandbox !== DEFAULT_SANDBOX) address.searchParams.set('sandbox', sandbox)
    if (address.href !== location.href) history.replaceState(null, '', address)
  }, [sandbox])
}

/** The pattern `url(#hatching)`, which tells marks apart in forced colours. */
function Hatching() {
  return (
    <svg class="hatching" width="0" height="0" aria-hidden="true">
      <pattern id="hatching" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <path d="M0 0h2v4H0z" />
      </pattern>
    </svg>
  )
}

/** The form for the control token. */
export function TokenForm() {
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
