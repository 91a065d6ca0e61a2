import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { ListedPet } from '../state/pet-list.ts'
import type { Sort } from '../state/pet-rows.ts'
import { PetRow, ROW_HEIGHT } from './pet-row.tsx'
import { PetTableHead } from './pet-table-head.tsx'
import { toMove } from './to-move.ts'
import { useWindow } from './use-window.ts'

/** Browsers draw no element higher than some 33 million pixels: beyond, one has to filter. */
const MOST_ROWS = 500_000

export interface PetTableProps {
  readonly rows: readonly ListedPet[]
  readonly sort: Sort | undefined
  readonly onSort: (sort: Sort | undefined) => void
  /** The pet to bring into view; another object asks again. */
  readonly picked: { readonly petId: string } | undefined
}

/** The pets as a grid (https://www.w3.org/WAI/ARIA/apg/patterns/grid/) of which only the rows in view are there. */
export function PetTable({ rows, sort, onSort, picked }: PetTableProps) {
  const view = useRef<HTMLDivElement>(null)
  const focusWanted = useRef(false)
  const [activeId, setActiveId] = useState<string>()
  const [edited, setEdited] = useState<{ petId: string; text?: string }>()
  const count = Math.min(rows.length, MOST_ROWS)
  const { start, end } = useWindow(view, { count, rowHeight: ROW_HEIGHT })
  const activeIndex = Math.max(0, activeId === undefined ? 0 : rows.findIndex(({ petId }) => petId === activeId))
  const editedIndex = edited === undefined ? -1 : rows.findIndex(({ petId }) => petId === edited.petId)

  function activate(index: number, isFocusWanted: boolean): void {
    const petId = rows[index]?.petId
    if (petId === undefined) return
    focusWanted.current = isFocusWanted
    setActiveId(petId)
    scrollTo(view.current, index)
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
    const page = Math.floor((view.current?.clientHeight ?? 0) / ROW_HEIGHT) - 1
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
        <PetTableHead sort={sort} onSort={onSort} />
        <tbody class="grid-body" style={{ height: `${count * ROW_HEIGHT}px` }} onKeyDown={move}>
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
      {rows.length > count && (
        <p class="empty">These are the first {count.toLocaleString('en')}; filter by id to see others.</p>
      )}
    </div>
  )
}

/** Scrolls only as far as the row needs to be seen below the headings, which stay, and are as high as a row. */
function scrollTo(view: HTMLElement | null, index: number): void {
  if (view === null) return
  const room = view.clientHeight - ROW_HEIGHT
  const top = index * ROW_HEIGHT
  view.scrollTop = Math.max(top + ROW_HEIGHT - room, Math.min(view.scrollTop, top))
}
