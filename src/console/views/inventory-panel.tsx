import { useMemo, useState } from 'preact/hooks'
import { type RowQuery, type Sort, toPetRows } from '../state/pet-rows.ts'
import { FixturePicker } from './fixture-picker.tsx'
import { InventoryFilter } from './inventory-filter.tsx'
import { PetTable } from './pet-table.tsx'
import { StockPicture } from './stock-picture.tsx'
import { useSelect } from './use-console.ts'

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
