/** Why the demo could not start, and what to do, for somebody who has only opened a page. */
export function explainFailure(error: unknown): string {
  if (!isSecureContext) {
    return `The demo runs in a service worker, and browsers have those on https and on localhost only. This page is at ${location.origin}.`
  }
  if (!('serviceWorker' in navigator)) {
    return 'The demo runs in a service worker, and there are none here. In a private window, or where the browser’s settings forbid them, that is so: open the page in an ordinary window.'
  }
  return error instanceof Error ? error.message : String(error)
}
