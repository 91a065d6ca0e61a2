import { useLayoutEffect, useRef } from 'preact/hooks'
import type { ListedPet } from '../state/pet-list.ts'
import { QuantityField } from './quantity-field.tsx'
import { StatusMark } from './status-mark.tsx'

/** How long a change is highlighted, in milliseconds. */
const FRESH_MS = 2000
/** The length from which a quantity is set in smaller type, in characters. */
const LONG = 9

interface PetRowProps {
  readonly pet: ListedPet
  readonly index: number
  /** Whether there is no room for a note below the row. */
  readonly isLast: boolean
  /** Whether the row is the grid's tab stop. */
  readonly isActive: boolean
  /** Whether the active row takes the focus when it renders. */
  readonly focusWanted: { current: boolean }
  /** Set while the quantity is being edited; `text` is the first typed character. */
  readonly edit: { readonly text?: string } | undefined
  readonly onEdit: (text?: string) => void
  /** @param isFocusWanted Whether the row gets the focus back. */
  readonly onEditEnd: (isFocusWanted: boolean) => void
}

export function PetRow({ pet, index, isLast, isActive, focusWanted, edit, onEdit, onEditEnd }: PetRowProps) {
  const { petId, status, quantity } = pet
  return (
    <tr class={isLast ? 'row row-last' : 'row'} aria-rowindex={index + 2} style={{ '--index': index }}>
      <th class="cell cell-petId" scope="row">
        {petId}
      </th>
      <td class="cell cell-status">
        <StatusMark status={status} />
      </td>
      <td class="cell cell-quantity">
        {edit === undefined ? (
          <QuantityButton pet={pet} isActive={isActive} focusWanted={focusWanted} onEdit={onEdit} />
        ) : (
          <QuantityField petId={petId} quantity={quantity} text={edit.text} onEnd={onEditEnd} />
        )}
      </td>
    </tr>
  )
}

function QuantityButton(props: Pick<PetRowProps, 'pet' | 'isActive' | 'focusWanted' | 'onEdit'>) {
  const { pet, isActive, focusWanted, onEdit } = props
  const { petId, quantity, changedAt } = pet
  const text = quantity.toLocaleString('en')
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    if (!isActive || !focusWanted.current) return
    focusWanted.current = false
    button.current?.focus({ preventScroll: true })
  })
  // A new key creates a new element, which restarts the highlight.
  const isFresh = changedAt > 0 && performance.now() - changedAt < FRESH_MS
  return (
    <button
      ref={button}
      type="button"
      class={text.length < LONG ? 'quantity' : 'quantity quantity-long'}
      tabIndex={isActive ? 0 : -1}
      aria-label={`${text} of pet ${petId} in stock, change`}
      onClick={() => onEdit()}
      onKeyDown={(event) => {
        // As in a spreadsheet, typing a digit starts a new number.
        if (!/^[\d-]$/.test(event.key) || event.ctrlKey || event.metaKey || event.altKey) {
          if (event.key === 'F2') onEdit()
          return
        }
        event.preventDefault()
        onEdit(event.key)
      }}
    >
      <span key={changedAt} class={isFresh ? 'number fresh' : 'number'}>
        {toBreakable(text)}
      </span>
    </button>
  )
}

/** Allows line breaks after the commas of a number that is too long for its column. */
function toBreakable(text: string) {
  return text.split(',').flatMap((part, index) => (index === 0 ? [part] : [',', <wbr key={index} />, part]))
}
