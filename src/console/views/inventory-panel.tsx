import { useMemo, useState } from 'preact/hooks'
import { type PetList, type RowQuery, type Sort, toPetRows } from '../state/pets.ts'
import { useConsole, useSelect } from './hooks.ts'
import { STATUSES, StatusMark } from './parts.tsx'
import { PetTable } from './pet-table.tsx'
import { StockPicture } from './stock-picture.tsx'

/** The stock, as a chart and as an editable table. */
export function InventoryPanel() {
  const pets = useSelect((state) => state.pets)
  const isLoaded = useSelect((state) => state.isLoaded)
  const [filter, setFilter] = useState<Omit<RowQuery, 'sort'>>({ id: '', statuses: [] })
  const [sort, setSort] = useState<Sort>()
  const [picked, setPicked] = useState<{ petId: string }>()
  const rows = useMemo(() => toPetRows(pets, { ...filter, sort }), [pets, filter, sort])
  const petCount = useSelect((state) => state.petCount ?? 0)
  const total = isLoaded ? pets.byId.size : petCount
  return (
    <section class="panel inventory" aria-labelledby="inventory-title">
      <div class="panel-head">
        <h2 id="inventory-title">
          Inventory <span class="count">{toCount(isLoaded ? rows.length : total, total)}</span>
        </h2>
        <FixturePicker />
      </div>
      <StockPicture rows={rows} isLoading={!isLoaded && total > 0} onPick={(petId) => setPicked({ petId })} />
      <InventoryFilter pets={isLoaded ? pets : undefined} total={total} filter={filter} onChange={setFilter} />
      <PetTable rows={rows} loading={isLoaded ? 0 : total} sort={sort} onSort={setSort} picked={picked} />
      {isLoaded && rows.length === 0 && <p class="empty">{toEmptyWords(total)}</p>}
    </section>
  )
}

function toCount(shown: number, total: number): string {
  const pets = `${total.toLocaleString('en')} ${total === 1 ? 'pet' : 'pets'}`
  return shown === total ? pets : `${shown.toLocaleString('en')} of ${pets}`
}

function toEmptyWords(total: number): string {
  if (total === 0) return 'No pets. Load a fixture, or add a pet with PUT /_mock/pets/{petId}.'
  return 'No matching pets'
}

/** Loads a fixture into the sandbox, or resets it. */
export function FixturePicker() {
  const { actions } = useConsole()
  const fixtures = useSelect((state) => state.fixtures)
  const present = useSelect((state) => state.fixture)
  const [chosen, setChosen] = useState<string>()
  const isListed = fixtures.some(({ name }) => name === present)
  const value = chosen ?? (isListed ? present : '')
  async function load(): Promise<void> {
    await actions.loadFixture(value)
    setChosen(undefined)
  }
  return (
    <div class="tools">
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
              {name} ({pets})
            </option>
          ))}
        </select>
      </label>
      <button type="button" disabled={value === ''} onClick={load}>
        Load
      </button>
      <button type="button" title="Reset stock, faults, latency and journal" onClick={() => actions.reset()}>
        Reset
      </button>
    </div>
  )
}

type Filter = Omit<RowQuery, 'sort'>

interface InventoryFilterProps {
  /** `undefined` while loading. */
  readonly pets: PetList | undefined
  /** The number of all pets. */
  readonly total: number
  readonly filter: Filter
  readonly onChange: (filter: Filter) => void
}

/** The legend of the chart, which also filters the chart and the table. */
export function InventoryFilter({ pets, total, filter, onChange }: InventoryFilterProps) {
  const tally = useMemo(() => pets && toTally(pets), [pets])
  // For the counts while they load, and for smaller ones, so that nothing moves: estimated as a third of the pets.
  const room = `${Math.ceil(total / STATUSES.length).toLocaleString('en').length}ch`
  const { empty = 0, belowZero = 0 } = tally ?? {}
  const toggle = (status: string): void => {
    const others = filter.statuses.filter((each) => each !== status)
    const isShown = others.length < filter.statuses.length
    onChange({ ...filter, statuses: isShown ? others : [...others, status] })
  }
  return (
    <search class="filter">
      <label class="inline">
        <span>Pet id</span>
        <input
          type="search"
          value={filter.id}
          placeholder="any"
          autocomplete="off"
          onInput={({ currentTarget }) => onChange({ ...filter, id: currentTarget.value })}
        />
      </label>
      <fieldset class="chips">
        <legend class="hidden">Status</legend>
        {STATUSES.map((status) => (
          <button
            key={status}
            type="button"
            class="chip"
            aria-pressed={filter.statuses.includes(status)}
            onClick={() => toggle(status)}
          >
            <StatusMark status={status} />{' '}
            <b style={{ minWidth: room }}>{tally && (tally.byStatus[status] ?? 0).toLocaleString('en')}</b>
          </button>
        ))}
      </fieldset>
      <p class="facts">
        {empty > 0 && <span>{empty.toLocaleString('en')} at zero</span>}
        {belowZero > 0 && <span>{belowZero.toLocaleString('en')} below zero</span>}
      </p>
    </search>
  )
}

/** The counts of the legend. */
interface Tally {
  readonly byStatus: Readonly<Record<string, number>>
  /** Pets with quantity 0. */
  readonly empty: number
  readonly belowZero: number
}

function toTally({ byId }: PetList): Tally {
  const byStatus: Record<string, number> = {}
  let [empty, belowZero] = [0, 0]
  for (const { status, quantity } of byId.values()) {
    byStatus[status] = (byStatus[status] ?? 0) + 1
    if (quantity === 0) empty += 1
    if (quantity < 0) belowZero += 1
  }
  return { byStatus, empty, belowZero }
}
