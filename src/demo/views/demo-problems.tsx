import type { PersistWarning } from '../../runtimes/browser.ts'

export interface DemoProblemsProps {
  readonly warnings: readonly PersistWarning[]
  readonly onDismiss: (warning: PersistWarning) => void
}

/** What could not be kept. */
export function DemoProblems({ warnings, onDismiss }: DemoProblemsProps) {
  return (
    <section class="demo-problems" role="alert">
      {warnings.map((warning) => (
        <p key={warning.message} class="banner banner-warn">
          <span>
            <strong>{HEADLINES[warning.kind]}</strong> {EXPLANATIONS[warning.kind]} The reason: {warning.reason}.
          </span>
          <button type="button" class="small" onClick={() => onDismiss(warning)}>
            Dismiss
          </button>
        </p>
      ))}
    </section>
  )
}

const HEADLINES = {
  'set-aside': 'What an earlier visit has kept cannot be used.',
  'in-memory': 'Changes are not kept any more.',
} as const

const EXPLANATIONS = {
  'set-aside': 'It was set aside, and the demo begins with its seed.',
  'in-memory': 'The demo goes on, and what you change is gone when the page is reloaded.',
} as const
