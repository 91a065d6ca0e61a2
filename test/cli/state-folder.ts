import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, onTestFinished } from 'vitest'
import { createMock, type Mock } from '../../src/index.ts'

/** A folder for one test. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-mock-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

/** A folder for the tests of a file. */
export async function makeSharedFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-mock-'))
  afterAll(() => rm(folder, { recursive: true }))
  return folder
}

/** The same, with a function that writes a file into it and resolves with its path. */
export async function makeFiles() {
  const folder = await makeSharedFolder()
  const write = async (name: string, content: string | Buffer): Promise<string> => {
    const file = join(folder, name)
    await writeFile(file, content)
    return file
  }
  return { folder, write }
}

/** Whether file systems can be mounted here: on Linux, as root, if the container allows it. */
export const CAN_MOUNT: boolean = canMount()

/** A folder on a file system of its own. */
export async function mountFolder(options: string): Promise<string> {
  const folder = await makeFolder()
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder])
  onTestFinished(() => void execFileSync('umount', [folder]))
  return folder
}

/** What a state file holds. */
export async function readState(file: string): Promise<Mock> {
  const mock = createMock()
  mock.importState(await readFile(file, 'utf8'))
  return mock
}

const JSON_BODY = { authorization: 'Bearer demo-key', 'content-type': 'application/json' }

export async function patch(
  url: string,
  { petId = '1', quantity, key = 'demo-key' }: { petId?: string; quantity: number; key?: string },
): Promise<void> {
  const response = await fetch(`${url}/inventory/${petId}`, {
    method: 'PATCH',
    headers: { ...JSON_BODY, authorization: `Bearer ${key}` },
    body: JSON.stringify({ quantity }),
  })
  if (response.status !== 200) throw new Error(`The update was answered with ${response.status}.`)
}

export async function list(url: string, key = 'demo-key'): Promise<string> {
  return (await fetch(`${url}/inventory`, { headers: { authorization: `Bearer ${key}` } })).text()
}

/** `POST` to a control route. */
export function post(url: string, path: string): Promise<Response> {
  return fetch(new URL(`/_mock${path}`, url), { method: 'POST' })
}

function canMount(): boolean {
  try {
    // In a separate namespace, which ends with the command.
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/tmp'], { stdio: 'ignore' })
    return process.getuid?.() === 0
  } catch {
    return false
  }
}
