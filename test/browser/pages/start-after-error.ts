import { run as start } from './start.ts'

/** A script of another msw, and then the right one in the same page. */
export async function run(): Promise<string[]> {
  const refused = await start({ workerUrl: '/msw-2.js' })
  const registrations = await navigator.serviceWorker.getRegistrations()
  return [refused, `${registrations.length} workers`, await start({})]
}
