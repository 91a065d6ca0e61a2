import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { openStateFile } from '../../src/cli/serve/state-file.ts'
import { makeFolder } from './state-folder.ts'

/** A kill takes a start of the program over 100,000 pets, which is a second of work: all 100 run in CI. */
const KILLS = process.env['CI'] === undefined ? 8 : 100
const CHAINS = 4

/** A process that saves again and again. */
function startSaving(file: string): ChildProcessByStdio<null, Readable, null> {
  const args = [`${import.meta.dirname}/save-in-a-loop.ts`, file]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

test(`killed ${KILLS} times in saves of 100,000 pets, the file has lost nothing, and nothing is left beside it`, {
  timeout: KILLS * 10_000,
}, async () => {
  const folder = await makeFolder()
  const chain = async (name: string): Promise<void> => {
    const file = join(folder, name)
    let saved = 0
    for (let round = 0; round < KILLS / CHAINS; round += 1) saved = await killInSave(file, saved)
    const stateFile = await openStateFile(file)
    stateFile.close()
  }
  const names = Array.from({ length: CHAINS }, (_, index) => `${index}.json`)
  await Promise.all(names.map(chain))
  expect((await readdir(folder)).sort()).toEqual(names)
})

test('a process holds its file until it is killed; then the next has it at once', async () => {
  const folder = await makeFolder()
  const file = join(folder, 'state.json')
  const child = startSaving(file)
  await once(child.stdout, 'data')
  await expect(openStateFile(file)).rejects.toThrow(`in use by process ${child.pid}.`)
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(await readdir(folder)).toContain('state.json.lock')
  const stateFile = await openStateFile(file)
  stateFile.close()
  // It may have been killed in its first save.
  expect((await readdir(folder)).filter((name) => name !== 'state.json')).toEqual([])
})

/**
 * Lets a process save until it is killed at any moment after its first save.
 * @param before The last count that was said to be saved.
 * @returns The same afterwards.
 */
async function killInSave(file: string, before: number): Promise<number> {
  const child = startSaving(file)
  let last = 0
  for await (const line of createInterface(child.stdout)) {
    const { found, saved } = JSON.parse(line) as { found?: number[]; saved?: number }
    if (found !== undefined) {
      // The save that was cut may have come to its end, unheard. All places are of one moment.
      expect([before, before + 1]).toContain(found[0])
      expect(found).toEqual([found[0], found[0], found[0]])
    }
    if (saved === undefined) continue
    if (last === 0) setTimeout(() => child.kill('SIGKILL'), Math.random() * 60)
    last = saved
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  expect(child.signalCode).toBe('SIGKILL')
  return last
}
