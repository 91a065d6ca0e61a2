import type { TargetedSubmitEvent } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { DEFAULT_SANDBOX, SANDBOX_PATTERN } from '../api/sandbox-key.ts'
import { useConsole, useSelect } from './hooks.ts'

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

/** The maximum number of sandboxes in the list. Others are opened by name. */
const MOST_OFFERED = 50

/** Shows the current sandbox. Another is chosen from the latest ones, or opened by name. */
export function SandboxPicker() {
  const { actions } = useConsole()
  const sandbox = useSelect((state) => state.sandbox)
  const sandboxes = useSelect((state) => state.sandboxes)
  const [isNaming, setNaming] = useState(false)
  if (isNaming) return <NameForm onDone={() => setNaming(false)} />
  // The mock lists the oldest sandboxes first.
  const latest = sandboxes.slice(-MOST_OFFERED).map(({ name }) => name)
  const names = [...new Set([DEFAULT_SANDBOX, ...latest.reverse(), sandbox])]
  const hidden = sandboxes.length - names.length
  return (
    <div class="inline">
      <label class="inline">
        <span>Sandbox</span>
        <select
          class="sandbox"
          value={sandbox}
          onFocus={actions.listSandboxes}
          onChange={({ currentTarget }) => actions.openSandbox(currentTarget.value)}
        >
          {names.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
          {hidden > 0 && <option disabled>{hidden.toLocaleString('en')} more: use Open…</option>}
        </select>
      </label>
      <button type="button" onClick={() => setNaming(true)}>
        Open…
      </button>
    </div>
  )
}

function NameForm({ onDone }: { onDone: () => void }) {
  const { actions } = useConsole()
  const sandboxes = useSelect((state) => state.sandboxes)
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  useLayoutEffect(() => field.current?.focus(), [])
  const fitting = sandboxes.filter(({ name }) => name.includes(text)).slice(0, MOST_OFFERED)
  const open = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    actions.openSandbox(text)
    onDone()
  }
  return (
    <form class="inline" onSubmit={open} onKeyDown={({ key }) => key === 'Escape' && onDone()}>
      <label class="inline">
        <span>Sandbox name</span>
        <input
          ref={field}
          class="sandbox"
          list="sandboxes"
          required
          value={text}
          maxLength={64}
          pattern={SANDBOX_PATTERN}
          title="Letters, digits, dots, underscores and hyphens. A new name creates a sandbox."
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      <datalist id="sandboxes">
        {fitting.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <button type="submit">Open</button>
      <button type="button" class="plain" onClick={onDone}>
        Cancel
      </button>
    </form>
  )
}

/** Toggles light and dark. Follows the system until the user chooses. */
export function ThemeToggle() {
  const { settings } = useConsole()
  const [chosen, setChosen] = useState(settings.read('theme'))
  const isSystemDark = useSystemTheme()
  const isDark = chosen === undefined ? isSystemDark : chosen === 'dark'
  useLayoutEffect(() => {
    if (chosen !== undefined) document.documentElement.dataset['theme'] = chosen
  }, [chosen])
  const toggle = (): void => {
    const next = isDark ? 'light' : 'dark'
    settings.write('theme', next)
    setChosen(next)
  }
  return (
    <button
      type="button"
      class="icon"
      aria-pressed={isDark}
      aria-label="Dark theme"
      title="Dark theme"
      onClick={toggle}
    >
      <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
        <circle cx="10" cy="10" r="7.25" fill="none" stroke="currentColor" stroke-width="1.5" />
        <path d="M10 2.75a7.25 7.25 0 0 1 0 14.5z" fill="currentColor" />
      </svg>
    </button>
  )
}

function useSystemTheme(): boolean {
  const query = matchMedia('(prefers-color-scheme: dark)')
  const [isDark, setDark] = useState(query.matches)
  useEffect(() => {
    const look = (): void => setDark(query.matches)
    query.addEventListener('change', look)
    return () => query.removeEventListener('change', look)
  }, [])
  return isDark
}
