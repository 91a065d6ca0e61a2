import { vi } from 'vitest'

/** In milliseconds. It only ends a wait for what never comes, and a busy machine needs much. */
const PATIENCE_MS = 60_000

// Vitest has a setting for `expect.poll`, and none for these two, which give up after a second.
if (vi.waitFor.name !== 'waitPatiently') {
  const { waitFor, waitUntil } = vi
  vi.waitFor = function waitPatiently(callback, options) {
    return waitFor(callback, toPatient(options))
  }
  vi.waitUntil = (callback, options) => waitUntil(callback, toPatient(options))
}

function toPatient<Options extends object>(options: number | Options | undefined): number | (Options & object) {
  return typeof options === 'number' ? options : { timeout: PATIENCE_MS, ...(options as Options) }
}
