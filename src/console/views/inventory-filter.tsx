import { useMemo } from 'preact/hooks'
import type { PetList } from '../state/pet-list.ts'
import type { RowQuery } from '../state/pet-rows.ts'
import { STATUSES, StatusMark } from './status-mark.tsx'

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
