import { useState } from 'preact/hooks'
import type { Exchange } from '../api/model.ts'
import { toFate } from '../state/journal.ts'
import { mayHaveMore } from '../state/reuse-request.ts'
import { ExchangeDialog } from './exchange-dialog.tsx'
import { useConsole, useSelect } from './hooks.ts'
import { toClock, toDuration } from './parts.tsx'

/** The number of exchanges per page of the list. */
const PAGE = 50

const FILTERS: Readonly<Record<string, { label: string; fits: (exchange: Exchange) => boolean }>> = {
  all: { label: 'all', fits: () => true },
  changes: { label: 'changes', fits: ({ request }) => request.method !== 'GET' && request.method !== 'HEAD' },
  errors: { label: 'errors', fits: (exchange) => toFate(exchange) !== 'answered' },
}

/** Requests and their responses, updated live. */
export function JournalPanel() {
  const { actions } = useConsole()
  const journal = useSelect((state) => state.journal)
  const cleared = useSelect((state) => state.cleared)
  const [filter, setFilter] = useState('all')
  const [length, setLength] = useState(PAGE)
  const [opened, setOpened] = useState<Exchange>()
  const open = async (exchange: Exchange): Promise<void> => {
    setOpened(exchange)
    if (!mayHaveMore(exchange)) return
    const whole = await actions.reread(exchange)
    if (whole !== undefined) setOpened((current) => (current === exchange ? whole : current))
  }
  const fits = FILTERS[filter]?.fits ?? (() => true)
  const fitting = journal.filter(fits)
  const clearedFitting = cleared.filter(fits)
  const shown = fitting.slice(0, length)
  return (
    <section class="panel journal" aria-labelledby="journal-title">
      <div class="panel-head">
        <h2 id="journal-title">
          Journal <span class="count">newest first</span>
        </h2>
        <div class="tools">
          <label class="inline">
            <span>Show</span>
            <select value={filter} onChange={({ currentTarget }) => setFilter(currentTarget.value)}>
              {Object.entries(FILTERS).map(([name, { label }]) => (
                <option key={name} value={name}>
                  {label}
                </option>
              ))}
            </select>
          </label>
          <button type="button" disabled={journal.length + cleared.length === 0} onClick={actions.clearJournal}>
            Clear
          </button>
        </div>
      </div>
      {fitting.length + clearedFitting.length === 0 && (
        <p class="empty">{toEmptyWords(journal.length + cleared.length)}</p>
      )}
      {fitting.length + clearedFitting.length > 0 && (
        <div class="exchanges">
          <ol>
            {shown.map((exchange) => (
              <li key={exchange.id}>
                <ExchangeLine exchange={exchange} onOpen={() => open(exchange)} />
              </li>
            ))}
          </ol>
          {fitting.length > shown.length && (
            <button type="button" class="plain older" onClick={() => setLength(length + PAGE)}>
              Show older requests
            </button>
          )}
          {clearedFitting.length > 0 && (
            <>
              <p class="note cleared">In this page only: the mock no longer has the requests below.</p>
              <ol>
                {clearedFitting.map((exchange) => (
                  <li key={exchange.id}>
                    <ExchangeLine exchange={exchange} onOpen={() => setOpened(exchange)} />
                  </li>
                ))}
              </ol>
            </>
          )}
        </div>
      )}
      {opened !== undefined && <ExchangeDialog exchange={opened} onClose={() => setOpened(undefined)} />}
    </section>
  )
}

function toEmptyWords(total: number): string {
  if (total > 0) return 'No matching requests'
  return 'No requests yet. They appear here as they arrive.'
}

/** One exchange as a line. A click opens its details. */
export function ExchangeLine({ exchange, onOpen }: { exchange: Exchange; onOpen: () => void }) {
  const { request, answer, fault, duration, time, stability, isProxied, isStubbed } = exchange
  return (
    <button type="button" class="exchange" onClick={onOpen}>
      <time dateTime={time}>{toClock(time)}</time>
      <span class="method">{request.method}</span>
      <span class="path">
        <span class="path-text">{request.path}</span>
      </span>
      <span class={`answer answer-${toFate(exchange)}`}>{answer?.status ?? 'none'}</span>
      <span class="duration">{toDuration(duration)}</span>
      <span class="tags">
        {stability !== undefined && <span class="tag tag-quiet">{stability}</span>}
        {(isProxied ?? isStubbed) && <span class="tag tag-quiet">not specified</span>}
        {fault !== undefined && <span class="tag">fault {fault.id}</span>}
      </span>
    </button>
  )
}
