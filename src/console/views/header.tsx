import { SandboxPicker } from './sandbox-picker.tsx'
import { ThemeToggle } from './theme-toggle.tsx'
import { useConsole, useSelect } from './use-console.ts'

/** The sandbox, the API key and the theme. */
export function Header() {
  const { title } = useConsole()
  return (
    <header class="top">
      <div class="brand">
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <rect class="brand-back" width="32" height="32" rx="7" />
          <path class="brand-front" d="M8 14h4v10H8zM14 8h4v16h-4zM20 18h4v6h-4z" />
        </svg>
        <h1>{title}</h1>
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
  const { actions, keyAdvice } = useConsole()
  const apiKey = useSelect((state) => state.apiKey)
  const isRefused = useSelect((state) => state.isKeyRefused)
  return (
    <div class="key-field">
      <label class="inline">
        <span>API key</span>
        <input
          class="key"
          type="text"
          value={apiKey}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          aria-invalid={isRefused}
          aria-describedby="key-error"
          onInput={({ currentTarget }) => actions.setApiKey(currentTarget.value)}
          onChange={actions.useApiKey}
        />
      </label>
      <p id="key-error" class={isRefused ? 'field-note field-error' : 'field-note'} role="alert">
        {isRefused ? `Invalid API key (401). ${keyAdvice}` : apiKey === '' && keyAdvice}
      </p>
    </div>
  )
}
