import type { RefObject } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'

export interface Size {
  readonly width: number
  readonly height: number
}

const NONE: Size = { width: 0, height: 0 }

/** Tracks the size of an element without its scroll bars, in CSS pixels. A hidden element has no size. */
export function useSize(ref: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState(NONE)
  useLayoutEffect(() => {
    const element = ref.current
    if (element === null) return
    const measure = (): void => {
      const { clientWidth: width, clientHeight: height } = element
      setSize((old) => (old.width === width && old.height === height ? old : { width, height }))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref])
  return size
}
