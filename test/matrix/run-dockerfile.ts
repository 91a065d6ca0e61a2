// Runs the commands of the Dockerfile, without Docker: installs a packed file, starts the server as the user of this
// process, asks for its health, and stops it.
import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { findFreePort } from '../machine.ts'

const [packed = ''] = process.argv.slice(2)
const dockerfile = readFileSync(resolve(import.meta.dirname, '../../Dockerfile'), 'utf8')
const read = (instruction: string): string => new RegExp(`^${instruction} (.*)$`, 'm').exec(dockerfile)?.[1] ?? ''
const readList = (instruction: string): string[] => JSON.parse(read(instruction))

// Outside the cell, whose package.json npm would find.
const cwd = mkdtempSync(join(tmpdir(), 'petstore-mock-image-'))
cpSync(packed, join(cwd, basename(packed)))
execFileSync('sh', ['-c', read('RUN')], { cwd })

const given = Object.fromEntries(
  read('ENV')
    .split(' ')
    .map((pair) => pair.split('=')),
) as Record<string, string>
const env = { ...process.env, ...given, PETSTORE_MOCK_PORT: String(await findFreePort()) }
const start = (words: readonly string[]) => [words[0] ?? '', words.slice(1), { cwd, env }] as const
const checkHealth = (): number | null => spawnSync(...start(readList('HEALTHCHECK.* CMD'))).status

assert.equal(checkHealth(), 1)
const server = spawn(...start([...readList('ENTRYPOINT'), ...readList('CMD')]))
const ended = once(server, 'exit')
for (let tries = 0; tries < 50 && checkHealth() !== 0; tries += 1) await setTimeout(100)
assert.equal(checkHealth(), 0)
server.kill('SIGTERM')
assert.deepEqual(await ended, [0, null])
rmSync(cwd, { recursive: true })
