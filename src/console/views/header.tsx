import type { Connection } from '../state/console-state.ts'
import { SandboxPicker } from './sandbox-picker.tsx'
import { ThemeToggle } from './theme-toggle.tsx'
import { useConsole, useSelect } from './use-console.ts'

const CONNECTIONS: Readonly<Record<Connection, string>> = {
  connecting: 'Connecting',
  live: 'Live',
  lost: 'No answer',
  locked: 'Locked',
}

/** Which double this is, which sandbox of it, and with which key. */
export function Header() {
  const version = useSelect(({ health }) => health?.version)
  const connection = useSelect((state) => state.connection)
  return (
    <header class="top">
      <div class="brand">
        <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
          <rect class="brand-back" width="32" height="32" rx="7" />
          <path class="brand-front" d="M8 14h4v10H8zM14 8h4v16h-4zM20 18h4v6h-4z" />
        </svg>
        <h1>Stockroom</h1>
        <span class={`connection connection-${connection}`}>{CONNECTIONS[connection]}</span>
        {version !== undefined && <span class="version">petstore-mock {version}</span>}
      </div>
      <div class="settings">
        <SandboxPicker />
        <KeyField />
        <ThemeToggle />
      </div>
    </header>
  )
}

function KeyField() {
  const { actions } = useConsole()
  const apiKey = useSelect((state) => state.apiKey)
  return (
    <label class="inline">
      <span>API key</span>
      <input
        class="key"
        type="text"
        value={apiKey}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        onInput={({ currentTarget }) => actions.setApiKey(currentTarget.value)}
      />
    </label>
  )
}
