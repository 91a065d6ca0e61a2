import type { PersistWarning } from '../../runtimes/browser.ts'

interface DemoProblemsProps {
  readonly warnings: readonly PersistWarning[]
  readonly onDismiss: (warning: PersistWarning) => void
}

/** Warnings about state that could not be stored or restored. */
export function DemoProblems({ warnings, onDismiss }: DemoProblemsProps) {
  return (
    <section class="demo-problems" role="alert">
      {warnings.map((warning) => (
        <p key={warning.message} class="banner banner-warn">
          <span>
            <strong>{HEADLINES[warning.kind]}</strong> {EXPLANATIONS[warning.kind]} Reason: {warning.reason}.
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
  quarantined: 'The state of an earlier visit cannot be read.',
  'in-memory': 'Changes are no longer kept.',
} as const

const EXPLANATIONS = {
  quarantined: 'It was quarantined, and the demo starts from the seed.',
  'in-memory': 'The demo still works, but changes are lost when you reload the page.',
} as const
