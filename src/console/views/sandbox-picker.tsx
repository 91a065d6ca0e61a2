import type { TargetedSubmitEvent } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { DEFAULT_SANDBOX, SANDBOX_PATTERN } from '../api/sandbox-name.ts'
import { useConsole, useSelect } from './use-console.ts'

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
