import { inject, vi } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** How long a test waits for what never comes: vitest.config.ts. */
    readonly waitMs: number
  }
}

// Vitest has a setting for `expect.poll`, and none for these two, which give up after a second.
if (vi.waitFor.name !== 'waitPatiently') {
  const { waitFor, waitUntil } = vi
  vi.waitFor = function waitPatiently(callback, options) {
    return waitFor(callback, toPatient(options))
  }
  vi.waitUntil = (callback, options) => waitUntil(callback, toPatient(options))
}

function toPatient<Options extends object>(options: number | Options | undefined): number | (Options & object) {
  return typeof options === 'number' ? options : { timeout: inject('waitMs'), ...(options as Options) }
}
