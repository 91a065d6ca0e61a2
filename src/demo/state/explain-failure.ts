import type { Failure } from './demo-state.ts'

/** Why the double did not start. */
export function explainFailure(error: unknown): Failure {
  return { reason: toReason(), detail: error instanceof Error ? error.message : String(error) }
}

function toReason(): string {
  if (!isSecureContext) {
    return `It runs in a service worker, and browsers have those on https and on localhost only. This page is at ${location.origin}.`
  }
  if (!('serviceWorker' in navigator)) {
    return 'It runs in a service worker, and there are none here, as in some private windows. Open the page in an ordinary window.'
  }
  return 'It runs in a service worker, and that did not start. The browser may forbid it to this site, or a file of the demo may be missing on its server.'
}
