import type { TargetedSubmitEvent } from 'preact'
import { useConsole, useSelect } from './use-console.ts'

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
