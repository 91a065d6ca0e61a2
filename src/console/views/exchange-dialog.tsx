import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Exchange } from '../api/model.ts'
import { isWhole } from '../state/replay.ts'
import { toApiKey } from '../state/to-api-key.ts'
import { toCurl } from '../state/to-curl.ts'
import { copyText } from './copy-text.ts'
import { toClock, toDuration } from './exchange-line.tsx'
import { Message } from './message.tsx'
import { useConsole } from './use-console.ts'

/** An exchange with all that is known of it, to copy and to send again. */
export function ExchangeDialog({ exchange, onClose }: { exchange: Exchange; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const { actions, store, addresses } = useConsole()
  const [outcome, setOutcome] = useState('')
  const { request, answer, fault } = exchange
  useLayoutEffect(() => dialog.current?.showModal(), [])
  useEffect(() => setOutcome(''), [exchange])

  async function copy(): Promise<void> {
    const url = addresses.toService(request.path)
    const isCopied = await copyText(toCurl(exchange, { url, apiKey: toApiKey(store.state) }))
    setOutcome(isCopied ? 'Copied, with the present API key' : 'This browser does not let the page copy')
  }

  async function replay(): Promise<void> {
    setOutcome('Sending')
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
          {fault !== undefined && `, struck by fault ${fault.id}`}
        </p>
        <div class="tools">
          <button type="button" onClick={copy}>
            Copy as curl
          </button>
          <button type="button" disabled={!isWhole(exchange)} onClick={replay}>
            Replay
          </button>
          <span role="status">{outcome}</span>
        </div>
        {!isWhole(exchange) && (
          <p class="note">The double did not keep the whole body of this request, so it cannot be sent again.</p>
        )}
        <Message title="Request" message={request} />
        {answer === undefined ? (
          <section>
            <h3>Answer</h3>
            <p class="note">None: the client went away, or a fault took its connection.</p>
          </section>
        ) : (
          <Message title={`Answer ${answer.status}`} message={answer} />
        )}
      </div>
    </dialog>
  )
}
