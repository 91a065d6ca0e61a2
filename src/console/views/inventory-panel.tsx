import { useEffect, useMemo, useState } from 'preact/hooks'
import { type PetList, type RowQuery, type Sort, STATUSES, toPetRows } from '../state/pets.ts'
import { toCount } from '../state/to-count.ts'
import { useConsole, useSelect } from './hooks.ts'
import { Button, Chips, Form, StatusMark } from './parts.tsx'
import { PetTable } from './pet-table.tsx'

type Filter = Omit<RowQuery, 'sort'>

/** The stock, as an editable table. */
export function InventoryPanel() {
  const pets = useSelect((state) => state.pets)
  const [filter, setFilter] = useState<Filter>({ id: '', statuses: [] })
  const [sort, setSort] = useState<Sort>()
  const [isAdding, setAdding] = useState(false)
  const rows = useMemo(() => toPetRows(pets, { ...filter, sort }), [pets, filter, sort])
  const total = pets.byId.size
  return (
    <section class="panel inventory" aria-labelledby="inventory-title" style={{ '--total': total }}>
      <div class="tools panel-head">
        <h2 id="inventory-title">
          Inventory{' '}
          <span class="note" role="status">
            {rows.length === total
              ? toCount(total, 'pet')
              : `${rows.length.toLocaleString('en')} of ${toCount(total, 'pet')}`}
          </span>
        </h2>
        <div class="tools">
          <input
            type="search"
            aria-label="Pet id"
            value={filter.id}
            placeholder="Find pet id"
            autocomplete="off"
            onInput={({ currentTarget }) => setFilter({ ...filter, id: currentTarget.value })}
          />
          <Button text="Add…" class="primary" aria-expanded={isAdding} run={() => setAdding(!isAdding)} />
        </div>
      </div>
      {isAdding && <AddForm onDone={() => setAdding(false)} />}
      <StatusFilter pets={pets} filter={filter} onChange={setFilter} />
      <PetTable rows={rows} sort={sort} onSort={setSort} />
      {rows.length === 0 && (
        <p class="note empty">{total === 0 ? 'No pets. Add some, or load a fixture.' : 'No matching pets'}</p>
      )}
      <FixturePicker />
    </section>
  )
}

/** Takes one pet, or rows of a spreadsheet. */
function AddForm({ onDone }: { onDone: () => void }) {
  const { actions } = useConsole()
  const [session] = useState(() => new AbortController())
  useEffect(() => () => session.abort(), [])
  async function add({ pets = '' }: Readonly<Record<string, string>>): Promise<string | undefined> {
    const problem = await actions.addPets(pets, session.signal)
    if (problem === undefined) onDone()
    return problem
  }
  return (
    <Form class="field add" text="Add pets" send={add} onCancel={onDone} start="once">
      <label class="field">
        <span>
          Pets to add or change, one per line, also pasted from a spreadsheet: id, quantity, status; or as JSON
        </span>
        <textarea name="pets" rows={3} placeholder="11  5  available" spellcheck={false} />
      </label>
    </Form>
  )
}

interface StatusFilterProps {
  readonly pets: PetList
  readonly filter: Filter
  readonly onChange: (filter: Filter) => void
}

/** How many pets have each status, as buttons that filter the table. */
function StatusFilter({ pets, filter, onChange }: StatusFilterProps) {
  const counts = useMemo(() => {
    const all = [...pets.byId.values()]
    return STATUSES.map((status) => all.filter((pet) => pet.status === status).length)
  }, [pets])
  const toggle = (status: string): void => {
    const others = filter.statuses.filter((each) => each !== status)
    const isShown = others.length < filter.statuses.length
    onChange({ ...filter, statuses: isShown ? others : [...others, status] })
  }
  return (
    <div class="tools">
      <Chips
        legend="Status"
        toggle={toggle}
        items={STATUSES.map((status, index) => ({
          name: status,
          isOn: filter.statuses.includes(status),
          label: [<StatusMark key="mark" status={status} />, <b key="count">{counts[index]?.toLocaleString('en')}</b>],
        }))}
      />
    </div>
  )
}

function FixturePicker() {
  const { actions } = useConsole()
  const fixtures = useSelect((state) => state.fixtures)
  const present = useSelect((state) => state.fixture)
  const [chosen, setChosen] = useState<string>()
  const isListed = fixtures.some(({ name }) => name === present)
  const value = chosen ?? (isListed ? present : '')
  const load = () => actions.loadFixture(value).then(() => setChosen(undefined))
  return (
    <div class="tools fixture">
      <label class="inline">
        <span>Fixture</span>
        <select value={value} onChange={({ currentTarget }) => setChosen(currentTarget.value)}>
          {!isListed && (
            <option value="" disabled>
              {present}
            </option>
          )}
          {fixtures.map(({ name, description, pets }) => (
            <option key={name} value={name} title={description}>
              {name} ({pets.toLocaleString('en')})
            </option>
          ))}
        </select>
      </label>
      <Button text="Load" disabled={value === ''} run={load} />
      <Button text="Reset" title="Reset to this fixture, also faults, latency and requests" run={actions.reset} />
    </div>
  )
}
