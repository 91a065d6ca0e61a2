// Taken when this module is loaded, so that a runner's fake timers do not stop the mock.
const { setTimeout, performance } = globalThis

/** For how long one slice lasts, in milliseconds. */
const SLICE_MS = 5

/** Does one piece of work after the other, and lets others have their turn now and then. */
export async function workInSlices<Piece>(pieces: Iterable<Piece>, work: (piece: Piece) => void): Promise<void> {
  let end = performance.now() + SLICE_MS
  for (const piece of pieces) {
    work(piece)
    if (performance.now() < end) continue
    await new Promise<void>((resolve) => setTimeout(resolve, 0))
    end = performance.now() + SLICE_MS
  }
}
