import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { type ListedPet, STATUSES } from '../state/pets.ts'
import { useConsole } from './hooks.ts'
import { FieldNote, Menu, StatusMark } from './parts.tsx'

/** How long a change is highlighted, in milliseconds. */
const FRESH_MS = 2000
/** The length from which a quantity is set in smaller type, in characters. */
const LONG = 9

interface PetRowProps {
  readonly pet: ListedPet
  /** The largest quantity of all rows, without its sign, which has a bar of full length. */
  readonly largest: number
  readonly index: number
  /** Whether the row is the grid's tab stop. */
  readonly isActive: boolean
  /** Whether the quantity is being edited. */
  readonly isEdited: boolean
  readonly onFocus: () => void
  readonly onEdit: () => void
  /** @param isFocusWanted Whether the row gets the focus back. */
  readonly onEditEnd: (isFocusWanted: boolean) => void
}

export function PetRow(props: PetRowProps) {
  const { pet, largest, index, isActive, isEdited, onFocus, onEdit, onEditEnd } = props
  const { nameOf } = useConsole()
  const { petId, status, quantity } = pet
  return (
    <tr class="row" aria-rowindex={index + 2} style={{ '--index': index }} onFocusIn={onFocus}>
      <th class="cell cell-petId" scope="row">
        {petId} <small>{nameOf(petId)}</small>
      </th>
      <td class="cell cell-status">
        <StatusMark status={status} />
      </td>
      <td class="cell cell-quantity">
        {isEdited ? (
          <QuantityField petId={petId} quantity={quantity} onEnd={onEditEnd} />
        ) : (
          <>
            <QuantityBar pet={pet} largest={largest} />
            <QuantityButton pet={pet} isActive={isActive} onEdit={onEdit} />
          </>
        )}
      </td>
      <td class="cell cell-menu">
        <PetMenu pet={pet} isActive={isActive} />
      </td>
    </tr>
  )
}

/** What can be done to a pet beside changing its quantity. */
function PetMenu({ pet: { petId, status }, isActive }: Pick<PetRowProps, 'pet' | 'isActive'>) {
  const { actions } = useConsole()
  const others = STATUSES.filter((each) => each !== status)
  return (
    <Menu
      label={`Actions for pet ${petId}`}
      text="…"
      tabIndex={isActive ? 0 : -1}
      items={[
        { label: 'Make updates fail…', run: () => actions.draftFault({ target: 'updateInventory', petId }) },
        ...others.map((each) => ({ label: `Set status: ${each}`, run: () => void actions.setStatus(petId, each) })),
        { label: 'Show requests', run: () => actions.find(`pet:${petId}`) },
        { label: 'Remove pet', run: () => void actions.removePet(petId) },
      ]}
    />
  )
}

/** A stock other than zero is always visible. */
function QuantityBar({ pet: { quantity, status }, largest }: Pick<PetRowProps, 'pet' | 'largest'>) {
  const isBelow = quantity < 0 ? ' bar-below' : ''
  const width = Math.max(2, (Math.abs(quantity) / largest) * 100)
  return (
    <span class="bar-room" aria-hidden="true">
      {quantity !== 0 && <span class={`bar bar-${status}${isBelow}`} style={{ width: `${width}%` }} />}
    </span>
  )
}

function QuantityButton({ pet, isActive, onEdit }: Pick<PetRowProps, 'pet' | 'isActive' | 'onEdit'>) {
  const { petId, quantity, changedAt } = pet
  const text = quantity.toLocaleString('en')
  // A new key creates a new element, which restarts the highlight.
  const isFresh = changedAt > 0 && performance.now() - changedAt < FRESH_MS
  return (
    <button
      type="button"
      class={text.length < LONG ? 'quantity' : 'quantity quantity-long'}
      tabIndex={isActive ? 0 : -1}
      aria-label={`${text} of pet ${petId} in stock, change`}
      onClick={onEdit}
    >
      <span key={changedAt} class={isFresh ? 'number fresh' : 'number'}>
        {text}
      </span>
    </button>
  )
}

interface QuantityFieldProps {
  readonly petId: string
  /** The mock's current quantity, which another client may change meanwhile. */
  readonly quantity: number
  readonly onEnd: (isFocusWanted: boolean) => void
}

/** Edits a quantity. Enter or leaving the field saves it; Escape cancels. */
function QuantityField({ petId, quantity, onEnd }: QuantityFieldProps) {
  const { actions } = useConsole()
  const input = useRef<HTMLInputElement>(null)
  // Removing the field blurs it, which must not save.
  const isOver = useRef(false)
  const [before] = useState(String(quantity))
  const [isSaving, setSaving] = useState(false)
  const [error, setError] = useState<string>()

  useLayoutEffect(() => {
    input.current?.focus({ preventScroll: true })
    input.current?.select()
    return () => {
      isOver.current = true
    }
  }, [])

  function end(isFocusWanted: boolean): void {
    isOver.current = true
    onEnd(isFocusWanted)
  }

  async function save(isFocusWanted: boolean): Promise<void> {
    const { value: text = before } = input.current ?? {}
    if (isSaving || isOver.current) return
    if (text.trim() === before) return end(isFocusWanted)
    setSaving(true)
    const problem = await actions.saveQuantity(petId, text)
    if (isOver.current) return
    setSaving(false)
    if (problem === undefined) end(isFocusWanted && input.current?.matches(':focus') === true)
    else setError(problem)
  }

  function press(event: KeyboardEvent): void {
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    // Also of Enter: a mock in the page answers before WebKit's `keypress`, which would press the button that has the focus then.
    event.preventDefault()
    if (event.key === 'Enter') void save(true)
    else end(true)
  }

  const noteId = `note-${petId}`
  return (
    <div class="noted quantity-field">
      <input
        ref={input}
        type="text"
        inputMode="numeric"
        enterkeyhint="done"
        autocomplete="off"
        aria-label={`In stock of pet ${petId}`}
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : noteId}
        aria-busy={isSaving}
        readOnly={isSaving}
        defaultValue={before}
        onInput={() => setError(undefined)}
        onKeyDown={press}
        onBlur={() => error === undefined && void save(false)}
      />
      <FieldNote id={noteId} text={error} isError />
    </div>
  )
}
