/** Lets so many run at once; the others wait for their turn. */
export function createSlots(count: number) {
  let free = count
  const waiting: (() => void)[] = []
  return async (): Promise<Disposable> => {
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve))
    else free -= 1
    return {
      [Symbol.dispose]() {
        const next = waiting.shift()
        if (next === undefined) free += 1
        else next()
      },
    }
  }
}
