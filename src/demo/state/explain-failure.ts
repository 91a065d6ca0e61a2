import type { Failure } from './demo-state.ts'

/** Why the mock did not start. */
export function explainFailure(error: unknown): Failure {
  return { reason: toReason(), detail: error instanceof Error ? error.message : String(error) }
}

function toReason(): string {
  if (!isSecureContext) {
    return `The demo runs in a service worker, which browsers allow on https and on localhost only. This page is at ${location.origin}.`
  }
  if (!('serviceWorker' in navigator)) {
    return 'The demo runs in a service worker, and this window allows none, as some private windows do. Open the page in an ordinary window.'
  }
  return 'The demo runs in a service worker, which did not start. The browser may forbid it for this site, or a file of the demo may be missing on the server.'
}
