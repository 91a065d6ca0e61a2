import { run as start } from './start.ts'

/** The error of a start in a page that another worker of the site controls. */
export async function run(): Promise<string> {
  await navigator.serviceWorker.register('/another-worker.js', { scope: location.href })
  await navigator.serviceWorker.ready
  return start({})
}
