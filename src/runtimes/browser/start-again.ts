import type { Sandboxes } from '../../sandbox/sandboxes.ts'

/** Takes all sandboxes back to the seed: the default one is reset, the others are forgotten. */
export function startAgain(sandboxes: Sandboxes): void {
  for (const { controls } of [...sandboxes.values()]) if (!sandboxes.remove(controls.name)) controls.reset()
}
