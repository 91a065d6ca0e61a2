import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { useConsole } from './use-console.ts'

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
