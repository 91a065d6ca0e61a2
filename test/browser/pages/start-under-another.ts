import { run as start } from './start.ts'

/** What a start says in a page that another worker of the site has for itself. */
export async function run(): Promise<string> {
  await navigator.serviceWorker.register('/another-worker.js', { scope: location.href })
  await navigator.serviceWorker.ready
  return start({})
}
