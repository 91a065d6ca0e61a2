import { useRef, useState } from 'preact/hooks'
import { type JournalEntry, toApiKey } from '../api/model.ts'
import { OPERATIONS } from '../api/operations.gen.ts'
import { toLabel } from '../state/faults.ts'
import { OUTCOMES, toFind, toOutcome, toOutcomeOf, toReason } from '../state/journal.ts'
import { toNumber } from '../state/pets.ts'
import { copyRequest } from '../state/reuse-request.ts'
import { useConsole, useEntry, useKeys, useScrollStop, useSelect } from './hooks.ts'
import { Button, Chips, Form, toClock, toDuration, toMove, UNCORRECTED } from './parts.tsx'
import { RequestDetails } from './request-details.tsx'

/** The requests and their responses, updated live, with a search over the whole journal. */
export function RequestsPanel() {
  const { actions } = useConsole()
  const find = useSelect((state) => state.find)
  const { count, find: found } = useSelect((state) => state.requests)
  const isPaused = useSelect((state) => state.isPaused)
  const isStale = find !== found
  return (
    <section
      class={isStale ? 'panel journal stale' : 'panel journal'}
      aria-labelledby="journal-title"
      aria-busy={isStale}
    >
      <div class="tools panel-head">
        <h2 id="journal-title">Requests</h2>
        <div class="tools">
          <FindField />
          <Button text="Pause" aria-pressed={isPaused} run={() => actions.setPaused(!isPaused)} />
          <Button text="Clear" disabled={find === '' && count === 0} run={actions.clearJournal} />
        </div>
      </div>
      <Outcomes />
      <RequestList />
      <SendLine />
    </section>
  )
}

/** Searches the journal. `/` puts the focus here, except while one types; Enter and ↓ go to what was found. */
function FindField() {
  const { actions, root, store } = useConsole()
  const find = useSelect((state) => state.find)
  const field = useRef<HTMLInputElement>(null)
  useKeys((event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    field.current?.focus()
    field.current?.select()
  })
  function press(event: KeyboardEvent): void {
    if ((event.key !== 'Enter' && event.key !== 'ArrowDown') || store.state.requests.find !== find) return
    event.preventDefault()
    root.querySelector<HTMLElement>('.exchange[tabindex="0"]')?.focus()
  }
  return (
    <input
      ref={field}
      type="search"
      class="find"
      aria-label="Find requests"
      title="Words of the path, the status, the error or the fault: pet:5 4xx fault"
      placeholder="Find: pet:5 4xx fault"
      value={find}
      {...UNCORRECTED}
      onInput={({ currentTarget }) => actions.find(currentTarget.value)}
      onKeyDown={press}
    />
  )
}

/** The numbers of requests by outcome, among those that match the rest of the search. Each chooses its outcome. */
function Outcomes() {
  const { actions } = useConsole()
  const { totals, count, find: found } = useSelect((state) => state.requests)
  const find = useSelect((state) => state.find)
  const items = OUTCOMES.map(([outcome, label], index) => {
    const total = totals[index] ?? 0
    const number = (
      <b key="count" class={total > 0 ? `some-${outcome}` : ''}>
        {total.toLocaleString('en')}
      </b>
    )
    return { name: outcome, isOn: toOutcome(find) === outcome, label: [`${label} `, number] }
  })
  return (
    <div class="tools">
      <Chips legend="Outcome" items={items} toggle={(outcome) => actions.find(toFind(find, outcome))} />
      <p class="hidden" role="status">
        {find === found && find.trim() !== '' && `${count.toLocaleString('en')} found`}
      </p>
    </div>
  )
}

/** The list is one tab stop: arrows move in it, and open the next request while one is open. Enter opens, Escape closes. */
function RequestList() {
  const { actions, copyForms } = useConsole()
  const { entries, count, newer, dropped, find } = useSelect((state) => state.requests)
  const opened = useSelect((state) => state.opened)
  const whole = useEntry(opened)
  const [activeId, setActiveId] = useState<number>()
  const list = useRef<HTMLOListElement>(null)
  // The list may not have the opened request of a link.
  const isListed = whole === undefined || entries.some(({ id }) => id === opened)
  const rows = isListed ? entries : [...entries, whole].sort((a, b) => b.id - a.id)
  const active = rows.find(({ id }) => id === activeId) ?? rows[0]

  function focus(entry: JournalEntry | undefined): void {
    if (entry === undefined) return
    setActiveId(entry.id)
    list.current?.querySelector<HTMLElement>(`[data-id="${entry.id}"]`)?.focus()
  }

  function open(entry: JournalEntry | undefined): void {
    if (entry === undefined) return
    actions.openRequest(entry.id)
    focus(entry)
  }

  function close(): void {
    actions.openRequest(undefined)
    focus(rows.find(({ id }) => id === opened))
  }

  function press(event: KeyboardEvent): void {
    if (event.key === 'Escape' && opened !== undefined) {
      event.preventDefault()
      close()
      return
    }
    const isOnRow = event.target instanceof Element && event.target.matches('.exchange')
    if (!isOnRow || active === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    const index = rows.indexOf(active)
    const next = toMove(event.key, { index, count: rows.length, page: 10 })
    if (next === undefined) return
    event.preventDefault()
    if (opened === undefined) focus(rows[next])
    else open(rows[next])
  }

  function showNewer(): void {
    actions.showNewer()
    focus(active)
    list.current?.parentElement?.scrollTo(0, 0)
  }

  return (
    <div class="exchanges" tabIndex={useScrollStop()}>
      {newer > 0 && (
        <div class="newer">
          <Button text={`${newer.toLocaleString('en')} new`} class="chip primary" run={showNewer} />
        </div>
      )}
      {rows.length === 0 && (find?.trim() ? <p class="note empty">No matching requests</p> : <FirstRequest />)}
      <ol ref={list} onKeyDown={press}>
        {rows.map((entry) => (
          <li key={entry.id}>
            <RequestRow
              entry={entry}
              isActive={entry === active}
              isOpen={entry.id === opened}
              onToggle={() => (entry.id === opened ? close() : open(entry))}
            />
            {entry.id === opened && (
              <RequestDetails entry={whole ?? entry} isLoading={whole === undefined} onClose={close} />
            )}
          </li>
        ))}
      </ol>
      {count > entries.length && <Button text="Show older requests" class="plain" run={actions.showOlder} />}
      {dropped > 0 && (
        <p class="note empty">
          {dropped.toLocaleString('en')} older dropped ·{' '}
          <code>{copyForms.includes('curl') ? '--journal-size' : 'journalSize'}</code> keeps more
        </p>
      )}
    </div>
  )
}

/** A request to begin with, as a line to copy. */
function FirstRequest() {
  const { actions, addresses, copyForms } = useConsole()
  const basePath = useSelect((state) => state.basePath)
  const apiKey = useSelect(toApiKey)
  const request = { method: 'GET', path: `${basePath}/inventory`, headers: {}, body: '' }
  const target = { url: addresses.toService(request.path), apiKey, basePath }
  const line = copyRequest[copyForms[0] ?? 'curl']({ request } as JournalEntry, target)
  return (
    <div class="note empty">
      <p>No requests yet. They appear here as they arrive.</p>
      <pre>{line}</pre>
      <Button text="Copy" run={() => actions.copy(line, 'Copied')} />
    </div>
  )
}

interface RequestRowProps {
  readonly entry: JournalEntry
  /** Whether the row is the list's tab stop. */
  readonly isActive: boolean
  readonly isOpen: boolean
  readonly onToggle: () => void
}

/** One entry as a line, with the reason if it was refused or failed. */
function RequestRow({ entry, isActive, isOpen, onToggle }: RequestRowProps) {
  const { id, request, answer, fault, duration, time, by } = entry
  const reason = toReason(entry)
  return (
    <button
      type="button"
      class="exchange"
      data-id={id}
      tabIndex={isActive ? 0 : -1}
      aria-expanded={isOpen}
      onClick={onToggle}
    >
      <time dateTime={time}>{toClock(time)}</time>
      <span class="method">{request.method}</span>
      <span class="path">
        <span class="path-text">{request.path}</span>
      </span>
      <span class={`answer answer-${toOutcomeOf(entry)}`}>{answer?.status ?? 'none'}</span>
      <span class="note">{toDuration(duration)}</span>
      <span class="tools note reason">
        {fault !== undefined && <span class="tag">fault {fault.id}</span>}
        {by !== undefined && <span class="tag note">{by}</span>}
        {reason !== undefined && <span>{reason}</span>}
      </span>
    </button>
  )
}

/** Send [Set quantity (PATCH)] pet [5] quantity [9]. */
function SendLine() {
  const { actions, store } = useConsole()
  const [id, setId] = useState('updateInventory')
  const operation = OPERATIONS.find((each) => each.id === id) ?? OPERATIONS[0]
  const takesPet = operation.path.includes('{petId}')
  const takesBody = operation.method === 'PATCH'
  async function send({ petId = '', quantity = '' }: Readonly<Record<string, string>>): Promise<undefined> {
    const path = operation.path.replace('{petId}', encodeURIComponent(petId.trim()))
    await actions.send({
      method: operation.method,
      path: `${store.state.basePath}${path}`,
      ...(takesBody && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ quantity: toNumber(quantity) }),
      }),
    })
  }
  return (
    <Form class="tools send" aria-label="Send a request" text="Send" send={send}>
      <select aria-label="Operation" value={id} onChange={({ currentTarget }) => setId(currentTarget.value)}>
        {OPERATIONS.map((each) => (
          <option key={each.id} value={each.id}>
            {toLabel(each)}
          </option>
        ))}
      </select>
      {takesPet && <input name="petId" size={9} aria-label="Pet" placeholder="pet" required inputMode="numeric" />}
      {takesBody && <input name="quantity" size={9} aria-label="Quantity" placeholder="quantity" inputMode="numeric" />}
    </Form>
  )
}
