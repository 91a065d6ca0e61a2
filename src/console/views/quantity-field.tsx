import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useConsole } from './use-console.ts'

interface QuantityFieldProps {
  readonly petId: string
  /** The mock's current quantity, which another client may change meanwhile. */
  readonly quantity: number
  /** The initial text, instead of the quantity. */
  readonly text: string | undefined
  readonly onEnd: (isFocusWanted: boolean) => void
}

/** Edits a quantity. Enter or leaving the field sends it to the service; Escape cancels. */
export function QuantityField({ petId, quantity, text: given, onEnd }: QuantityFieldProps) {
  const { actions } = useConsole()
  const input = useRef<HTMLInputElement>(null)
  const saving = useRef<AbortController | undefined>(undefined)
  // Removing the field blurs it, which must not save.
  const isOver = useRef(false)
  const [before] = useState(quantity)
  const [text, setText] = useState(given ?? String(quantity))
  const [isSaving, setSaving] = useState(false)
  const [error, setError] = useState<string>()

  useLayoutEffect(() => {
    input.current?.focus({ preventScroll: true })
    if (given === undefined) input.current?.select()
    return () => saving.current?.abort()
  }, [])

  function end(isFocusWanted: boolean): void {
    isOver.current = true
    onEnd(isFocusWanted)
  }

  async function save(isFocusWanted: boolean): Promise<void> {
    if (isOver.current || saving.current !== undefined) return
    if (text.trim() === String(before)) return end(isFocusWanted)
    const attempt = new AbortController()
    saving.current = attempt
    setSaving(true)
    const problem = await actions.saveQuantity(petId, text, attempt.signal)
    saving.current = undefined
    setSaving(false)
    if (attempt.signal.aborted) return
    if (problem === undefined) return end(isFocusWanted && document.activeElement === input.current)
    setError(problem)
  }

  function press(event: KeyboardEvent): void {
    if (event.key === 'Enter') void save(true)
    if (event.key !== 'Escape') return
    event.preventDefault()
    saving.current?.abort()
    end(true)
  }

  const note =
    error ??
    (quantity === before || isSaving
      ? undefined
      : `Another client set it to ${quantity.toLocaleString('en')} meanwhile`)
  const noteId = `note-${petId}`
  const noteElement = useRef<HTMLParagraphElement>(null)
  useLayoutEffect(() => {
    if (note !== undefined) noteElement.current?.scrollIntoView({ block: 'nearest' })
  }, [note])
  return (
    <div class="quantity-field">
      <input
        ref={input}
        type="text"
        inputMode="numeric"
        enterkeyhint="done"
        autocomplete="off"
        aria-label={`In stock of pet ${petId}`}
        aria-invalid={error !== undefined}
        aria-describedby={note === undefined ? undefined : noteId}
        aria-busy={isSaving}
        readOnly={isSaving}
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value)
          setError(undefined)
        }}
        onKeyDown={press}
        onBlur={() => error === undefined && void save(false)}
      />
      {isSaving && <span class="saving">saving</span>}
      <p
        ref={noteElement}
        id={noteId}
        class={error === undefined ? 'field-note' : 'field-note field-error'}
        role="alert"
      >
        {note}
      </p>
    </div>
  )
}
