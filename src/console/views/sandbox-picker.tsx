import type { TargetedSubmitEvent } from 'preact'
import { useState } from 'preact/hooks'
import { useConsole, useSelect } from './use-console.ts'

/** Which sandbox is shown; another may be opened by a name that was not there before. */
export function SandboxPicker() {
  const { actions } = useConsole()
  const sandbox = useSelect((state) => state.sandbox)
  const sandboxes = useSelect((state) => state.sandboxes)
  const [isNaming, setNaming] = useState(false)
  const names = [...new Set(['default', ...sandboxes.map(({ name }) => name), sandbox])]
  if (isNaming) return <NameForm onDone={() => setNaming(false)} />
  return (
    <div class="inline">
      <label class="inline">
        <span>Sandbox</span>
        <select
          value={sandbox}
          onFocus={actions.listSandboxes}
          onChange={({ currentTarget }) => actions.openSandbox(currentTarget.value)}
        >
          {names.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <button type="button" onClick={() => setNaming(true)}>
        New
      </button>
    </div>
  )
}

function NameForm({ onDone }: { onDone: () => void }) {
  const { actions } = useConsole()
  const open = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    actions.openSandbox(String(new FormData(event.currentTarget).get('name')))
    onDone()
  }
  return (
    <form class="inline" onSubmit={open} onKeyDown={({ key }) => key === 'Escape' && onDone()}>
      <label class="inline">
        <span>New sandbox</span>
        <input
          name="name"
          required
          maxLength={64}
          pattern="[A-Za-z0-9._\-]+"
          title="Letters, digits, dots, underscores and hyphens"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          ref={(input) => input?.focus()}
        />
      </label>
      <button type="submit">Open</button>
      <button type="button" class="plain" onClick={onDone}>
        Cancel
      </button>
    </form>
  )
}
