import { useEffect } from 'preact/hooks'
import { Banners } from './banners.tsx'
import { FaultsPanel } from './faults-panel.tsx'
import { Header } from './header.tsx'
import { InventoryPanel } from './inventory-panel.tsx'
import { JournalPanel } from './journal-panel.tsx'
import { NoticeLine } from './notice-line.tsx'
import { TokenForm } from './token-form.tsx'
import { TrafficPanel } from './traffic-panel.tsx'
import { useSelect } from './use-console.ts'

/** The whole page. */
export function App() {
  const isLocked = useSelect(({ connection }) => connection === 'locked')
  useSandboxInAddress()
  return (
    <>
      <a class="skip" href="#content">
        Skip to the stock
      </a>
      <Header />
      <main id="content" tabIndex={-1}>
        <Banners />
        {isLocked ? (
          <TokenForm />
        ) : (
          <div class="columns">
            <InventoryPanel />
            <div class="column">
              <FaultsPanel />
              <TrafficPanel />
              <JournalPanel />
            </div>
          </div>
        )}
      </main>
      <NoticeLine />
    </>
  )
}

/** The address and the title of the page name the sandbox, so that it can be kept, passed on and found. */
function useSandboxInAddress(): void {
  const sandbox = useSelect((state) => state.sandbox)
  useEffect(() => {
    document.title = sandbox === 'default' ? 'Stockroom' : `${sandbox} · Stockroom`
    const address = new URL(location.href)
    address.searchParams.delete('sandbox')
    if (sandbox !== 'default') address.searchParams.set('sandbox', sandbox)
    if (address.href !== location.href) history.replaceState(null, '', address)
  }, [sandbox])
}
