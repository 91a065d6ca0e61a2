import type { ComponentChildren, ComponentProps, RefObject, TargetedSubmitEvent } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useConsole } from './hooks.ts'

/** A status as text, with its own colour and shape. */
export function StatusMark({ status }: { status: string }) {
  return (
    <span class={`status status-${status}`}>
      <svg viewBox="0 0 10 10" aria-hidden="true">
        <path d={SHAPES[status] ?? SHAPES['available']} fill="currentColor" />
      </svg>
      <span class="word">{status}</span>
    </span>
  )
}

/** A disc, a diamond, a square. */
const SHAPES: Readonly<Record<string, string>> = {
  available: 'M5 .5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 1 1 0-9z',
  pending: 'M5 0l5 5l-5 5l-5-5z',
  sold: 'M1 1h8v8h-8z',
}

/** Of a field for names and numbers, which a browser would only spoil. */
export const UNCORRECTED = { autocomplete: 'off', autocapitalize: 'off', spellcheck: false } as const

interface ButtonProps extends Omit<ComponentProps<'button'>, 'onClick'> {
  readonly text: string
  readonly run?: (() => unknown) | undefined
  readonly element?: RefObject<HTMLButtonElement | null> | null
}

export function Button({ text, run, element = null, ...others }: ButtonProps) {
  return (
    <button ref={element} type="button" {...others} onClick={run}>
      {text}
    </button>
  )
}

/** A button that goes: the next one of its list gets its focus, or else what opens the list, or the content. */
export function RemoveButton(props: ButtonProps) {
  const { root } = useConsole()
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    return () => {
      const { current: element } = button
      if (!element?.matches(':focus')) return
      const list = element.closest('.panel')
      const buttons = [...(list?.querySelectorAll('button') ?? [])]
      const like = buttons.filter(({ innerText }) => innerText === element.innerText)
      const index = like.indexOf(element)
      const heirs = [
        ...like.slice(index),
        ...like.slice(0, index).reverse(),
        list?.querySelector<HTMLElement>('[aria-expanded]'),
        root.querySelector<HTMLElement>('.content'),
      ]
      // Others may go with it.
      queueMicrotask(() => heirs.find((each) => each?.isConnected)?.focus({ preventScroll: true }))
    }
  }, [])
  return <Button {...props} class="small" element={button} />
}

interface ChipsProps {
  readonly legend: string
  readonly items: readonly { readonly name: string; readonly isOn: boolean; readonly label: ComponentChildren }[]
  readonly toggle: (name: string) => void
}

/** Buttons that filter a list. */
export function Chips({ legend, items, toggle }: ChipsProps) {
  return (
    <fieldset class="tools chips">
      <legend class="hidden">{legend}</legend>
      {items.map(({ name, isOn, label }) => (
        <button key={name} type="button" class="chip" aria-pressed={isOn} onClick={() => toggle(name)}>
          {label}
        </button>
      ))}
    </fieldset>
  )
}

/** What is wrong with a field, or an advice, below it. */
export function FieldNote({ id, text, isError }: { id: string; text: string | undefined; isError: boolean }) {
  const note = useRef<HTMLParagraphElement>(null)
  useLayoutEffect(() => {
    if (text) note.current?.scrollIntoView({ block: 'nearest' })
  }, [text])
  return (
    <p ref={note} id={id} class={isError ? 'field-note field-error' : 'field-note'} role="alert">
      {text}
    </p>
  )
}

interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  readonly text: string
  /** Gets the fields; returns what is wrong with them, as a sentence. */
  readonly send: (fields: Readonly<Record<string, string>>) => Promise<string | undefined> | undefined
  readonly onCancel?: () => void
  /** Each new value starts the form again, with the focus in its first field. What had the focus gets it back. */
  readonly start?: unknown
}

/** Fields that are sent together. Escape cancels. */
export function Form({ text, send, onCancel, start, children, ...others }: FormProps) {
  const form = useRef<HTMLFormElement>(null)
  const [error, setError] = useState<string>()
  const [isSending, setSending] = useState(false)
  useLayoutEffect(() => {
    const element = form.current
    if (start === undefined || element === null) return
    const page = element.getRootNode() as Document | ShadowRoot
    const opener = page.activeElement
    element.reset()
    element.querySelector<HTMLElement>('input, textarea')?.focus()
    return () => {
      if (opener instanceof HTMLElement && element.contains(page.activeElement)) opener.focus()
    }
  }, [start])
  async function submit(event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    if (isSending) return
    setSending(true)
    setError(await send(Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>))
    setSending(false)
  }
  function press(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || onCancel === undefined) return
    event.preventDefault()
    onCancel()
  }
  return (
    <form ref={form} {...others} onSubmit={submit} onInput={() => setError(undefined)} onKeyDown={press}>
      {children}
      <div class="tools">
        <Button text={text} type="submit" class="primary" aria-disabled={isSending} />
        {onCancel && <Button text="Cancel" class="plain" run={onCancel} />}
      </div>
      <p class="error" role="alert">
        {error}
      </p>
    </form>
  )
}

interface MenuProps {
  /** The name of the button for screen readers, if its text does not tell. */
  readonly label?: string
  readonly text: string
  readonly items: readonly { readonly label: string; readonly run: () => void }[]
  readonly tabIndex?: number
}

/** A button that opens a list of buttons, in the top layer, where no scrolling element cuts it. Its keys are its own. */
export function Menu({ label, text, items, tabIndex }: MenuProps) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    if (isOpen) list.current?.querySelector('button')?.focus()
  }, [isOpen])
  function press(event: KeyboardEvent): void {
    event.stopPropagation()
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])]
    const index = buttons.indexOf(event.target as HTMLButtonElement)
    const next = toMove(event.key, { index, count: buttons.length, page: 0 })
    if (next === undefined) return
    event.preventDefault()
    buttons[next]?.focus()
  }
  return (
    <>
      <Button text={text} class="opens" popovertarget={id} aria-label={label} tabIndex={tabIndex} />
      <div
        ref={list}
        id={id}
        class="menu"
        popover="auto"
        role="toolbar"
        onToggle={({ newState }) => setOpen(newState === 'open')}
        onKeyDown={press}
      >
        {isOpen &&
          items.map(({ label: name, run }) => (
            <Button
              key={name}
              text={name}
              run={() => {
                list.current?.hidePopover()
                run()
              }}
            />
          ))}
      </div>
    </>
  )
}

/** The target row of a navigation key; `undefined` for other keys. */
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

/** The time of day in the user's time zone, to the second. */
export function toClock(time: string): string {
  return new Date(time).toLocaleTimeString('en-GB')
}

export function toDuration(ms: number): string {
  if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`
  if (ms < 0.05) return '0 ms'
  return ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`
}
