import type { RefObject } from 'preact'
import type { Sort, SortColumn } from '../state/pet-rows.ts'

const COLUMNS: readonly { column: SortColumn; label: string }[] = [
  { column: 'petId', label: 'Pet' },
  { column: 'status', label: 'Status' },
  { column: 'quantity', label: 'In stock' },
]

interface PetTableHeadProps {
  readonly sort: Sort | undefined
  readonly onSort: (sort: Sort | undefined) => void
  readonly head: RefObject<HTMLTableSectionElement | null>
}

/** The sortable headings. Clicks cycle through ascending, descending and the mock's order. */
export function PetTableHead({ sort, onSort, head }: PetTableHeadProps) {
  return (
    <thead class="grid-head" ref={head}>
      <tr class="row" aria-rowindex={1}>
        {COLUMNS.map(({ column, label }) => {
          const order = sort?.column === column ? (sort.isDescending ? 'descending' : 'ascending') : 'none'
          return (
            <th key={column} class={`cell cell-${column}`} scope="col" aria-sort={order}>
              <button type="button" class="sort" onClick={() => onSort(toNext(sort, column))}>
                <span class="word">{label}</span>
                <svg viewBox="0 0 8 12" width="8" height="12" aria-hidden="true">
                  {order !== 'descending' && <path d="M4 1l3 4H1z" />}
                  {order !== 'ascending' && <path d="M4 11l3-4H1z" />}
                </svg>
              </button>
            </th>
          )
        })}
      </tr>
    </thead>
  )
}

function toNext(sort: Sort | undefined, column: SortColumn): Sort | undefined {
  if (sort?.column !== column) return { column, isDescending: false }
  return sort.isDescending ? undefined : { column, isDescending: true }
}
