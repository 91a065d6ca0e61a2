import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { ListedPet } from '../state/pet-list.ts'
import type { Sort } from '../state/pet-rows.ts'
import { PetRow } from './pet-row.tsx'
import { PetTableHead } from './pet-table-head.tsx'
import { MOST_PRINTED, useRows } from './use-rows.ts'

/** Browsers draw no element higher than some 33 million pixels: beyond, one has to filter. */
const MOST_ROWS = 500_000

export interface PetTableProps {
  readonly rows: readonly ListedPet[]
  /** How many rows are to be expected, while they are being loaded; then 0. */
  readonly loading: number
  readonly sort: Sort | undefined
  readonly onSort: (sort: Sort | undefined) => void
  /** The pet to bring into view; another object asks again. */
  readonly picked: { readonly petId: string } | undefined
}

/** The pets as a grid (https://www.w3.org/WAI/ARIA/apg/patterns/grid/) of which only the rows in view are there. */
export function PetTable({ rows, loading, sort, onSort, picked }: PetTableProps) {
  const view = useRef<HTMLDivElement>(null)
  const focusWanted = useRef(false)
  const [activeId, setActiveId] = useState<string>()
  const [edited, setEdited] = useState<{ petId: string; text?: string }>()
  const count = Math.min(rows.length, MOST_ROWS)
  const head = useRef<HTMLTableSectionElement>(null)
  const { start, end, rowHeight } = useRows(view, { count, head })
  const activeIndex = Math.max(0, activeId === undefined ? 0 : rows.findIndex(({ petId }) => petId === activeId))
  const editedIndex = edited === undefined ? -1 : rows.findIndex(({ petId }) => petId === edited.petId)

  function activate(index: number, isFocusWanted: boolean): void {
    const petId = rows[index]?.petId
    if (petId === undefined) return
    focusWanted.current = isFocusWanted
    setActiveId(petId)
    scrollTo(view.current, { index, rowHeight })
  }

  useLayoutEffect(() => {
    if (picked !== undefined)
      activate(
        rows.findIndex(({ petId }) => petId === picked.petId),
        true,
      )
  }, [picked])

  function move(event: KeyboardEvent): void {
    if (edited !== undefined || event.ctrlKey || event.metaKey || event.altKey) return
    const page = Math.floor((view.current?.clientHeight ?? 0) / rowHeight) - 1
    const next = toMove(event.key, { index: activeIndex, count, page })
    if (next === undefined) return
    event.preventDefault()
    activate(next, true)
  }

  // The active row and the edited one stay, also out of view: they hold the focus, and what is being typed.
  const shown = new Set([activeIndex, editedIndex].filter((index) => index >= 0 && index < count))
  for (let index = start; index < end; index += 1) shown.add(index)

  return (
    <div class="grid-view" ref={view}>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table is what the grid pattern is made of */}
      <table class="grid" role="grid" aria-label="Stock" aria-rowcount={count + 1}>
        <PetTableHead sort={sort} onSort={onSort} head={head} />
        <tbody class="grid-body" style={{ '--count': Math.max(count, Math.min(loading, MOST_ROWS)) }} onKeyDown={move}>
          {[...shown]
            .sort((a, b) => a - b)
            .map((index) => {
              const pet = rows[index] as ListedPet
              const isEdited = index === editedIndex
              return (
                <PetRow
                  key={pet.petId}
                  pet={pet}
                  index={index}
                  isLast={index >= 2 && index >= count - 2}
                  isActive={index === activeIndex}
                  focusWanted={focusWanted}
                  edit={isEdited ? edited : undefined}
                  onEdit={(text) => {
                    setActiveId(pet.petId)
                    setEdited({ petId: pet.petId, ...(text !== undefined && { text }) })
                  }}
                  onEditEnd={(isFocusWanted) => {
                    focusWanted.current = isFocusWanted
                    setEdited(undefined)
                  }}
                />
              )
            })}
        </tbody>
      </table>
      {loading > 0 && <p class="empty loading-rows">Loading inventory…</p>}
      {rows.length > MOST_PRINTED && (
        <p class="print-only">
          These are the first {MOST_PRINTED.toLocaleString('en')} pets of {rows.length.toLocaleString('en')}.
        </p>
      )}
      {rows.length > count && (
        <p class="empty">These are the first {count.toLocaleString('en')}; filter by id to see others.</p>
      )}
    </div>
  )
}

/** Scrolls only as far as the row needs to be seen below the headings, which stay, and are as high as a row. */
function scrollTo(view: HTMLElement | null, { index, rowHeight }: { index: number; rowHeight: number }): void {
  if (view === null) return
  const room = view.clientHeight - rowHeight
  const top = index * rowHeight
  view.scrollTop = Math.max(top + rowHeight - room, Math.min(view.scrollTop, top))
}

/** Where a key leads to in a list, if it leads anywhere. */
export function toMove(
  key: string,
  { index, count, page }: { index: number; count: number; page: number },
): number | undefined {
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: index + 1,
    ArrowUp: index - 1,
    PageDown: index + page,
    PageUp: index - page,
    Home: 0,
    End: count - 1,
  }
  const target = moves[key]
  return target === undefined ? undefined : Math.min(Math.max(target, 0), count - 1)
}
