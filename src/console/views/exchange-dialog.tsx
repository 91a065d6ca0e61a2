import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { toPrettyBody } from '../api/json.ts'
import type { Exchange } from '../api/model.ts'
import { toApiKey } from '../api/sandbox-key.ts'
import { type CopyForm, copyRequest, explainNoReplay } from '../state/reuse-request.ts'
import { useConsole } from './hooks.ts'
import { toClock, toDuration } from './parts.tsx'

const COPIED: Readonly<Record<CopyForm, string>> = {
  curl: 'Copied, with the current API key',
  // The mock runs in the page and is reachable only from there.
  fetch: 'Copied, with the current API key. Paste it into the developer console of this page',
}

/** The details of an exchange, with buttons to copy and replay it. */
export function ExchangeDialog({ exchange, onClose }: { exchange: Exchange; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const { actions, store, addresses, copyAs } = useConsole()
  const [outcome, setOutcome] = useState('')
  const { request, answer, fault, stability, isProxied, isStubbed } = exchange
  const problem = explainNoReplay(exchange)
  useLayoutEffect(() => dialog.current?.showModal(), [])
  useEffect(() => setOutcome(''), [exchange])

  async function copy(): Promise<void> {
    const url = addresses.toService(request.path)
    const isCopied = await copyText(copyRequest[copyAs](exchange, { url, apiKey: toApiKey(store.state) }))
    setOutcome(isCopied ? COPIED[copyAs] : 'The browser does not allow copying')
  }

  async function replay(): Promise<void> {
    setOutcome('Sending…')
    setOutcome(await actions.replay(exchange))
  }

  return (
    <dialog
      ref={dialog}
      class="sheet"
      aria-labelledby="exchange-title"
      onClose={onClose}
      onClick={({ target }) => target === dialog.current && dialog.current?.close()}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <div class="sheet-body">
        <header class="panel-head">
          <h2 id="exchange-title">
            <span class="method">{request.method}</span> <span class="path">{request.path}</span>
          </h2>
          <button type="button" onClick={() => dialog.current?.close()}>
            Close
          </button>
        </header>
        <p class="note">
          No. {exchange.id}, at {toClock(exchange.time)}, {toDuration(exchange.duration)}
          {stability !== undefined && `, ${stability} operation`}
          {isProxied && ', not specified: proxied'}
          {isStubbed && ', not specified: response of a stub'}
          {fault !== undefined && `, fault ${fault.id} injected`}
        </p>
        <div class="tools">
          <button type="button" onClick={copy}>
            Copy as {copyAs}
          </button>
          <button type="button" disabled={problem !== undefined} onClick={replay}>
            Replay
          </button>
          <span role="status">{outcome}</span>
        </div>
        {problem !== undefined && <p class="note">{problem}</p>}
        <Message title="Request" message={request}>
          <p class="path">
            {request.method} {request.path}
          </p>
        </Message>
        {answer === undefined ? (
          <section>
            <h3>No response</h3>
            <p class="note">The client disconnected, or a fault broke its connection.</p>
          </section>
        ) : (
          <Message title={`Response ${answer.status}`} message={answer} />
        )}
      </div>
    </dialog>
  )
}

/** Copies a text to the clipboard; returns whether that worked. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

/** Pages over http from another machine have no clipboard API, but may copy a selection. */
function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea')
  area.value = text
  const parent = document.querySelector('dialog[open]') ?? document.body
  parent.append(area)
  area.select()
  try {
    return document.execCommand('copy')
  } finally {
    area.remove()
  }
}

interface MessageProps {
  readonly title: string
  readonly message: {
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
    readonly isCut?: boolean
  }
  /** Shown before the headers. */
  readonly children?: ComponentChildren
}

/** The headers and the formatted body of a request or response. */
export function Message({ title, message: { headers, body, isCut = false }, children }: MessageProps) {
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {children}
      <dl class="headers">
        {Object.entries(headers).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {body === '' ? (
        <p class="note">No body.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be in reach of the keyboard
        <pre tabIndex={0}>{toPrettyBody(body)}</pre>
      )}
      {isCut && <p class="note">The body is longer; the mock kept only this part.</p>}
    </section>
  )
}
