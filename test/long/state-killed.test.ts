import { watch } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { openStateFile } from '../../src/cli/serve/state-file.ts'
import { generateFixture } from '../../src/index.ts'
import { startBin } from '../cli/start-bin.ts'
import { makeFolder } from '../cli/state-folder.ts'

const KILLS = 8
const CHAINS = 2
/** A save creates, writes and renames a file: each is an event in its folder. */
const EVENTS = 6
/** Pets that always have the same quantity when the state is saved: at both ends of the list, and in another sandbox. */
const PLACES = [
  { key: 'demo-key', petId: 1 },
  { key: 'demo-key', petId: 50_000 },
  { key: 'demo-key~a', petId: 25_000 },
]

test(`killed ${KILLS} times in saves of 50,000 pets, the file has lost nothing, and nothing is left beside it`, async () => {
  const [folder, states] = [await makeFolder(), await makeFolder()]
  const fixture = join(folder, 'fixture.json')
  await writeFile(fixture, JSON.stringify(generateFixture({ pets: 50_000 })))
  const chain = async (name: string, index: number): Promise<void> => {
    const file = join(states, name)
    let saved = 0
    for (let kill = index; kill < KILLS; kill += CHAINS)
      saved = await killInSave(file, { fixture, before: saved, event: 1 + (kill % EVENTS) })
    const stateFile = await openStateFile(file)
    stateFile.close()
  }
  const names = Array.from({ length: CHAINS }, (_, index) => `${index}.json`)
  await Promise.all(names.map(chain))
  expect((await readdir(states)).sort()).toEqual(names)
})

/**
 * Lets a server save until it is killed in the middle of a save.
 * @param options `before`: the quantity that was said to be saved last; 0 if nothing was. `event`: the one of the save behind
 * which the kill comes.
 * @returns The same afterwards.
 */
async function killInSave(
  file: string,
  { fixture, before, event }: { fixture: string; before: number; event: number },
): Promise<number> {
  await using server = await startBin('--state', file, '--fixture', fixture)
  const ask = (path: string, { key = 'demo-key', ...init }: RequestInit & { key?: string } = {}): Promise<Response> =>
    fetch(new URL(path, server.url), {
      ...init,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    })
  const readQuantity = async ({ key, petId }: (typeof PLACES)[number]): Promise<number> => {
    const pets = (await (await ask('/v1/inventory', { key })).json()) as { petId: number; quantity: number }[]
    return pets.find((pet) => pet.petId === petId)?.quantity ?? Number.NaN
  }
  /** Resolves with false if the server is killed meanwhile. */
  const save = async (quantity: number): Promise<boolean> => {
    const body = JSON.stringify({ quantity })
    const update = ({ key, petId }: (typeof PLACES)[number]) =>
      ask(`/v1/inventory/${petId}`, { method: 'PATCH', key, body })
    const responses = await Promise.all(PLACES.map(update)).catch(() => [])
    const saved = responses.length > 0 && (await ask('/_mock/state/save', { method: 'POST' }).catch(() => undefined))
    if (!saved) return false
    expect([...responses, saved].map(({ status }) => status)).toEqual([200, 200, 200, 204])
    return true
  }
  let last = before
  if (before > 0) {
    const found = await Promise.all(PLACES.map(readQuantity))
    // The save that was cut may have come to its end, unheard. All places are of one moment.
    last = found[0] ?? Number.NaN
    expect([before, before + 1]).toContain(last)
    expect(found).toEqual([last, last, last])
  }
  expect(await save(last + 1)).toBe(true)
  last += 1
  let events = event
  const watcher = watch(dirname(file), (_, name) => {
    if (name?.startsWith(basename(file)) && --events === 0) server.child.kill('SIGKILL')
  })
  while (await save(last + 1)) last += 1
  watcher.close()
  expect(await server.exit).toBe('SIGKILL')
  return last
}
