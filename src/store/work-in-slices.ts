// Captured at load, so that a test runner's fake timers do not stop the mock.
const { setTimeout, performance } = globalThis

/** The length of a slice in milliseconds. */
const SLICE_MS = 5

/** Works through the pieces, and yields to the event loop after each slice. */
export async function workInSlices<Piece>(pieces: Iterable<Piece>, work: (piece: Piece) => void): Promise<void> {
  let end = performance.now() + SLICE_MS
  for (const piece of pieces) {
    work(piece)
    if (performance.now() < end) continue
    await new Promise<void>((resolve) => setTimeout(resolve, 0))
    end = performance.now() + SLICE_MS
  }
}
