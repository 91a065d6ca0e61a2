/**
 * Loads the page again when a worker of a newer build takes over, be it at the start or because another tab brought it:
 * the page is of the older build, and a worker answers no page that was there before it. Says whether it does so now.
 * @param before The worker that the page was loaded by, if by one.
 */
export function loadNewest(before: ServiceWorker | null): boolean {
  const { serviceWorker } = navigator
  const isOld = before !== null && before !== serviceWorker.controller
  if (isOld) location.reload()
  else serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true })
  return isOld
}
