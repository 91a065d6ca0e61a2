import type { RefObject } from 'preact'
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { ListedPet, Sort, SortColumn } from '../state/pets.ts'
import { useRows, useScrollStop } from './hooks.ts'
import { toMove } from './parts.tsx'
import { PetRow } from './pet-row.tsx'

/** The length from which an id or a quantity does not fit beside the other on a phone, in characters. */
const LONG = 9

interface PetTableProps {
  readonly rows: readonly ListedPet[]
  readonly sort: Sort | undefined
  readonly onSort: (sort: Sort) => void
}

/** The pets as a virtualized grid (https://www.w3.org/WAI/ARIA/apg/patterns/grid/). */
export function PetTable({ rows, sort, onSort }: PetTableProps) {
  const view = useRef<HTMLDivElement>(null)
  /** Whether the active row takes the focus when it renders. */
  const focusWanted = useRef(false)
  const [activeId, setActiveId] = useState<string>()
  const [editedId, setEditedId] = useState<string>()
  const count = rows.length
  const head = useRef<HTMLTableSectionElement>(null)
  const { start, end, rowHeight } = useRows(view, { count, head })
  const lastIndex = useRef(0)
  const foundIndex = rows.findIndex(({ petId }) => petId === activeId)
  // The row that takes the place of a removed one also takes its focus.
  if (foundIndex === -1 && view.current?.querySelector('.grid-body:focus-within')) focusWanted.current = true
  const activeIndex = Math.max(0, Math.min(foundIndex === -1 ? lastIndex.current : foundIndex, count - 1))
  lastIndex.current = activeIndex
  const largest = useMemo(() => rows.reduce((most, { quantity }) => Math.max(most, Math.abs(quantity)), 1), [rows])
  const isLong = useMemo(
    () => rows.some(({ petId, quantity }) => petId.length > LONG || `${quantity}`.length > LONG),
    [rows],
  )
  const editedIndex = rows.findIndex(({ petId }) => petId === editedId)
  useLayoutEffect(() => {
    const button = view.current?.querySelector<HTMLElement>('.quantity[tabindex="0"]')
    if (!focusWanted.current || !button) return
    focusWanted.current = false
    button.focus({ preventScroll: true })
  })

  function activate(index: number, isFocusWanted: boolean): void {
    const petId = rows[index]?.petId
    if (petId === undefined) return
    focusWanted.current = isFocusWanted
    setActiveId(petId)
    if (view.current === null) return
    // Just far enough to show the row below the sticky headings, which are as high as a row.
    const top = index * rowHeight
    const least = top + 2 * rowHeight - view.current.clientHeight
    view.current.scrollTop = Math.max(least, Math.min(view.current.scrollTop, top))
  }

  function move(event: KeyboardEvent): void {
    if (editedId !== undefined || event.ctrlKey || event.metaKey || event.altKey) return
    const page = Math.floor((view.current?.clientHeight ?? 0) / rowHeight) - 1
    const next = toMove(event.key, { index: activeIndex, count, page })
    if (next === undefined) return
    event.preventDefault()
    activate(next, true)
  }

  // The active and the edited row stay rendered when out of view, because they hold the focus and the typed text.
  const shown = new Set([activeIndex, editedIndex].filter((index) => index >= 0 && index < count))
  for (let index = start; index < end; index += 1) shown.add(index)

  return (
    <div class={isLong ? 'grid-view grid-long' : 'grid-view'} ref={view} tabIndex={useScrollStop()}>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table is what the grid pattern is made of */}
      <table class="grid" role="grid" aria-label="Stock" aria-rowcount={count + 1}>
        <PetTableHead sort={sort} onSort={onSort} head={head} />
        <tbody class="grid-body" style={{ '--count': count }} onKeyDown={move}>
          {[...shown]
            .sort((a, b) => a - b)
            .map((index) => {
              const pet = rows[index] as ListedPet
              return (
                <PetRow
                  key={pet.petId}
                  pet={pet}
                  largest={largest}
                  index={index}
                  isActive={index === activeIndex}
                  isEdited={index === editedIndex}
                  onFocus={() => setActiveId(pet.petId)}
                  onEdit={() => setEditedId(pet.petId)}
                  onEditEnd={(isFocusWanted) => {
                    focusWanted.current = isFocusWanted
                    setEditedId(undefined)
                  }}
                />
              )
            })}
        </tbody>
      </table>
    </div>
  )
}

const COLUMNS: Readonly<Record<SortColumn, string>> = { petId: 'Pet', status: 'Status', quantity: 'In stock' }

interface PetTableHeadProps extends Pick<PetTableProps, 'sort' | 'onSort'> {
  readonly head: RefObject<HTMLTableSectionElement | null>
}

/** The sortable headings. Clicks sort in ascending, then in descending order. */
export function PetTableHead({ sort, onSort, head }: PetTableHeadProps) {
  return (
    <thead class="grid-head" ref={head}>
      <tr class="row" aria-rowindex={1}>
        {(Object.keys(COLUMNS) as SortColumn[]).map((column) => {
          const order = sort?.column === column ? (sort.isDescending ? 'descending' : 'ascending') : 'none'
          return (
            <th key={column} class={`cell cell-${column}`} scope="col" aria-sort={order}>
              <button
                type="button"
                class="sort"
                onClick={() => onSort({ column, isDescending: order === 'ascending' })}
              >
                <span class="word">{COLUMNS[column]}</span>
                <svg viewBox="0 0 8 12" fill="currentColor" aria-hidden="true">
                  {order !== 'descending' && <path d="M4 1l3 4H1z" />}
                  {order !== 'ascending' && <path d="M4 11l3-4H1z" />}
                </svg>
              </button>
            </th>
          )
        })}
        <td class="cell cell-menu" />
      </tr>
    </thead>
  )
}
