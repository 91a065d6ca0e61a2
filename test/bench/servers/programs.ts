import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BenchContext } from '../context.ts'
import { compileScript } from '../processes.ts'
import { ROOT } from '../root.ts'
import { type ServerProgram, startServer } from '../start-server.ts'
import { PATCH_ONE, send, type WireRequest } from '../wire.ts'

/** The built package's own server, as a user starts it. `silent` is the log that does not tell of each request, as a bare server does not. */
export function ourProgram(flags: readonly string[] = [], probe?: WireRequest): ServerProgram {
  return {
    script: fileURLToPath(new URL('dist/bin.js', ROOT)),
    toArgs: (port) => ['serve', '--port', String(port), '--log', 'silent', ...flags],
    ...(probe !== undefined && { probe }),
  }
}

/** A bare server that answers these bytes. */
export async function bareProgram(
  { folder }: Pick<BenchContext, 'folder'>,
  bytes: { readonly list: Buffer; readonly item: Buffer },
): Promise<ServerProgram> {
  const script = await compileScript(new URL('bare.ts', import.meta.url), folder)
  const [list, item] = [join(folder, 'list.json'), join(folder, 'item.json')]
  writeFileSync(list, bytes.list)
  writeFileSync(item, bytes.item)
  return { script, toArgs: (port) => [String(port), list, item] }
}

/** A bare server that answers what the mock answers about the ten pets. */
export async function bareProgramOfTenPets(
  context: Pick<BenchContext, 'folder' | 'processes'>,
): Promise<ServerProgram> {
  await using ours = await startServer(context.processes, ourProgram())
  const { body: item } = await send(ours.base, PATCH_ONE)
  return bareProgram(context, { list: ours.firstAnswer.body, item })
}
