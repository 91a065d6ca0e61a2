/** What each of many costs. */
export interface Growth {
  readonly kilobytes: number
  readonly microseconds: number
}

/**
 * Makes many and tells what each adds to the heap and takes; one has been made before. The process needs
 * `--expose-gc`, and `make` keeps what it makes.
 */
export function measureGrowth(count: number, make: (turn: number) => void): Growth {
  make(0)
  const before = readHeap()
  const start = performance.now()
  for (let turn = 1; turn <= count; turn += 1) make(turn)
  const time = performance.now() - start
  const bytes = readHeap() - before
  return { kilobytes: bytes / 1024 / count, microseconds: (time * 1000) / count }
}

function readHeap(): number {
  for (let turn = 0; turn < 3; turn += 1) globalThis.gc?.()
  return process.memoryUsage().heapUsed
}
