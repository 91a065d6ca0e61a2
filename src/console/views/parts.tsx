import type { ComponentProps } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'

/** A status as text, with its own colour and shape. */
export function StatusMark({ status }: { status: string }) {
  return (
    <span class={`status status-${status}`}>
      <svg viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
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
}

/** A button with a text. It submits a form only with that type. */
export function Button({ text, run, ...others }: ButtonProps) {
  return (
    <button type="button" {...others} onClick={run}>
      {text}
    </button>
  )
}

interface MenuProps {
  /** The name of the button for screen readers, if its text does not tell. */
  readonly label?: string
  readonly text: string
  readonly items: readonly { readonly label: string; readonly run: () => void }[]
  readonly tabIndex?: number
}

/** A button that opens a list of buttons, in the top layer, where no scrolling element cuts it. */
export function Menu({ label, text, items, tabIndex }: MenuProps) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    if (isOpen) list.current?.querySelector('button')?.focus()
  }, [isOpen])
  return (
    <>
      <Button text={text} class="opens" popovertarget={id} aria-label={label} tabIndex={tabIndex} />
      <div ref={list} id={id} class="menu" popover="auto" onToggle={({ newState }) => setOpen(newState === 'open')}>
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

/** A text that may break between such parts, rather than within a word or a number. */
export function toBreakable(text: string, border: RegExp) {
  return text.split(border).flatMap((part, index) => [<wbr key={index} />, part])
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

/** Offers a text as a file. */
export function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url))
}

/** Copies a text to the clipboard; returns whether that worked. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

/** Pages over http from another machine have no clipboard API, but may copy a selection. */
function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  try {
    return document.execCommand('copy')
  } finally {
    area.remove()
  }
}
