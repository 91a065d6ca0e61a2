import type { Sandboxes } from '../../sandbox/sandboxes.ts'

/** Restores the seed: resets the default sandbox and removes the others. */
export function startAgain(sandboxes: Sandboxes): void {
  for (const { controls } of [...sandboxes.values()]) if (!sandboxes.remove(controls.name)) controls.reset()
}
