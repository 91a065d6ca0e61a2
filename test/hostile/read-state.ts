import { main } from '../../src/cli/main.ts'
import type { World } from './world.ts'

/** Starts a server from a state file, like the next run would; returns the differences. */
export async function findLostUpdates(file: string, worlds: readonly World[]): Promise<string[]> {
  const controller = new AbortController()
  const { promise: listening, resolve, reject } = Promise.withResolvers<string>()
  const errors: string[] = []
  const done = main(['serve', '--port', '0', '--log', 'json', '--state', file], {
    out: (line) => resolve((JSON.parse(line) as { url: string }).url),
    err: (line) => errors.push(line),
    env: {},
    open: async () => {},
    stop: controller.signal,
    hold: () => {},
    takeSignals: () => () => {},
    isTerminal: { out: false, err: false },
  })
  void done.then((code) => reject(new Error(`The state was not taken up (${code}): ${errors.join('\n')}`)))
  const url = await listening
  const wrong = await Promise.all(
    worlds.map(async (world) => {
      const headers = { authorization: `Bearer ${world.token}` }
      return world.compare(await (await fetch(`${url}/inventory`, { headers })).text())
    }),
  )
  controller.abort()
  await done
  return wrong.filter((each) => each !== undefined)
}
