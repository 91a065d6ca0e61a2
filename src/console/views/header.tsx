import { useId, useRef, useState } from 'preact/hooks'
import { DEFAULT_SANDBOX } from '../api/model.ts'
import { useConsole, useSelect } from './hooks.ts'
import { Button, FieldNote, Menu, UNCORRECTED } from './parts.tsx'

/** The sandbox, the connection, the API key and files. */
export function Header() {
  const { title } = useConsole()
  return (
    <header class="tools top">
      <div class="inline">
        <svg class="brand" viewBox="0 0 32 32" aria-hidden="true">
          <rect width="32" height="32" rx="7" fill="currentColor" />
          <path d="M8 14h4v10H8zM14 8h4v16h-4zM20 18h4v6h-4z" fill="Canvas" />
        </svg>
        <h1>{title}</h1>
      </div>
      <SandboxField />
      <ConnectionLine />
      <div class="tools settings">
        <KeyField />
        <SaveMenu />
      </div>
    </header>
  )
}

const NAME_ADVICE =
  'A name has 1 to 64 letters, digits, dots, underscores or hyphens. A name is no API key; a key with a name opens it, too.'

/** Shows the current sandbox, and opens another one by its name or key. */
function SandboxField() {
  const { actions, store } = useConsole()
  const sandbox = useSelect((state) => state.sandbox)
  const sandboxes = useSelect((state) => state.sandboxes)
  const [isWrong, setWrong] = useState(false)
  const listId = useId()
  // The mock lists the oldest sandboxes first.
  const names = new Set([DEFAULT_SANDBOX, ...sandboxes.map(({ name }) => name).reverse()])
  function open(field: HTMLInputElement): void {
    const text = field.value.trim()
    const isOpened = text === '' || actions.openSandbox(text)
    setWrong(!isOpened)
    if (isOpened) field.value = store.state.sandbox
  }
  return (
    <div class="noted">
      <label class="inline">
        <span>Sandbox</span>
        <input
          key={sandbox}
          class="sandbox"
          list={listId}
          defaultValue={sandbox}
          placeholder={sandbox}
          title="A new name creates a sandbox"
          {...UNCORRECTED}
          aria-invalid={isWrong}
          aria-describedby="sandbox-error"
          onFocus={({ currentTarget }) => {
            // With a name in it, browsers would offer that name alone.
            currentTarget.value = ''
            void actions.listSandboxes()
          }}
          onInput={() => setWrong(false)}
          onChange={({ currentTarget }) => open(currentTarget)}
          onKeyDown={({ key, currentTarget }) => key === 'Enter' && currentTarget.blur()}
          onBlur={({ currentTarget }) => {
            currentTarget.value ||= sandbox
          }}
        />
      </label>
      <datalist id={listId}>
        {[...names].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <FieldNote id="sandbox-error" text={isWrong ? NAME_ADVICE : undefined} isError />
    </div>
  )
}

/** Whether the page is live, and where the service is. */
function ConnectionLine() {
  const { addresses, actions, isPart } = useConsole()
  const connection = useSelect((state) => state.connection)
  const isElsewhere = isPart && addresses.toService('/').origin !== location.origin
  const { basePath, version } = useSelect(({ health }) => health) ?? {}
  const isLost = connection === 'lost'
  const url = basePath === undefined ? undefined : addresses.toService(basePath).href
  return (
    <div class={`tools connection connection-${connection}`}>
      <p role={isLost ? 'alert' : 'status'}>
        <span title={version && `petstore-mock ${version}`}>
          {isLost && isElsewhere ? ELSEWHERE : WORDS[connection]}
        </span>
      </p>
      {url !== undefined && !isLost && (
        <Button
          text={url}
          class="plain small note url"
          title="Copy the base URL of the service"
          run={() => actions.copy(url, 'Base URL copied')}
        />
      )}
    </div>
  )
}

const WORDS = {
  connecting: 'Connecting…',
  live: 'Live',
  locked: 'Locked',
  lost: 'Mock server unreachable. Reconnecting… If it was stopped, run npx petstore-mock serve',
} as const

const ELSEWHERE =
  'Mock server unreachable. The page can only use it through its own server: let that proxy /v1 and /_mock, and call connectMock(location.origin).'

function KeyField() {
  const { actions, store, keyAdvice } = useConsole()
  const apiKey = useSelect((state) => state.apiKey)
  const isRefused = useSelect((state) => state.isKeyRefused)
  const note = isRefused ? `Invalid API key (401). ${keyAdvice}` : apiKey === '' ? keyAdvice : undefined
  return (
    <div class="noted">
      <label class="inline">
        <span>API key</span>
        <input
          class="key"
          type="text"
          value={apiKey}
          {...UNCORRECTED}
          aria-invalid={isRefused}
          aria-describedby="key-error"
          onInput={({ currentTarget }) => actions.setApiKey(currentTarget.value)}
          onChange={({ currentTarget }) => {
            actions.useApiKey()
            currentTarget.value = store.state.apiKey
          }}
        />
      </label>
      <FieldNote id="key-error" text={note} isError={isRefused} />
    </div>
  )
}

/** Files of the stock and the journal, and a link to what the page shows. */
function SaveMenu() {
  const { actions, copyLink, isPart } = useConsole()
  const file = useRef<HTMLInputElement>(null)
  return (
    <>
      <Menu
        text="Save and share"
        items={[
          { label: 'Download fixture', run: actions.saveFixture },
          { label: 'Open file…', run: () => file.current?.click() },
          { label: 'Download HAR', run: actions.saveHar },
          ...(isPart ? [] : [{ label: 'Copy link', run: copyLink }]),
        ]}
      />
      <input
        ref={file}
        type="file"
        hidden
        accept=".json,application/json"
        aria-label="File to open"
        onChange={async ({ currentTarget }) => {
          const [chosen] = currentTarget.files ?? []
          if (chosen !== undefined) await actions.openFixture(await chosen.text())
          currentTarget.value = ''
        }}
      />
    </>
  )
}
