import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { BUILD, type Build } from '../builds.ts'
import { atMost, below, type Comparison, type Side } from '../compare.ts'
import { readMemory } from '../processes.ts'
import { bareProgram, ourProgram, type ServerProgram, startServer } from '../servers.ts'
import type { Tools } from '../tools.ts'
import { toPatch } from '../wire.ts'

/** From the start of a process to its first response, or to the end of an import: rows 4, 5 and 12. */
export function compareStarts(tools: Tools): Comparison[] {
  return [compareFirstResponse(tools), ...compareImports(tools), compareMillion(tools)]
}

function compareFirstResponse(tools: Tools): Comparison {
  return {
    id: 4,
    what: 'process start to first response',
    against: 'bare node:http',
    rounds: tools.shortRounds,
    figures: {
      time: { unit: 'ms', aim: atMost(1.35) },
      memory: { what: ', resident memory then', unit: 'MB', aim: atMost(1.1) },
    },
    ours: (build) => measureStart(tools, ourProgram(build)),
    theirs: async () => measureStart(tools, await bareProgram(tools, { build: BUILD })),
  }
}

async function measureStart({ processes }: Tools, program: ServerProgram): Promise<Side> {
  await using server = await startServer(processes, program)
  return {
    answer: server.first.body.toString(),
    async measure() {
      await using fresh = await startServer(processes, program)
      return { time: fresh.readyAfter, memory: await readMemory(processes, fresh.pid) }
    },
  }
}

const NAME = 'petstore-mock'

/** The entries, and what of msw a user imports there without us. */
const ENTRIES = { '': 'msw', '/node': 'msw/node', '/server': 'msw', '/browser': 'msw' } as const

/** Each time in a fresh process. The entry for Vitest can be imported only in a run of Vitest. */
function compareImports(tools: Tools): Comparison[] {
  const define = (entry: string, against: string, time: (file: string) => Promise<number>): Comparison => {
    const measure = (build: Build, specifier: string): Side => ({
      measure: async () => ({ time: await time(pathToFileURL(build.resolve(specifier)).href) }),
    })
    return {
      id: 5,
      what: `import of ${NAME}${entry}`,
      against: `import '${against}'`,
      rounds: tools.shortRounds,
      figures: { time: { unit: 'ms', aim: atMost(1.25) } },
      ours: (build) => measure(build, NAME + entry),
      theirs: () => measure(BUILD, against),
    }
  }
  const inVitest = define('/vitest', 'msw/node', timeInVitest(tools))
  return [
    ...Object.entries(ENTRIES).map(([entry, against]) => define(entry, against, timeInNode(tools))),
    { ...inVitest, rounds: tools.rounds },
  ]
}

function timeInNode({ processes }: Tools): (url: string) => Promise<number> {
  return async (url) => Number(await processes.run(process.execPath, [await processes.compile('time-import'), url]))
}

// Modules are imported by Node itself, as those in a user's node_modules are.
const CONFIG = `export default {
  test: { include: ['scripts/time-import-in-vitest.ts'], server: { deps: { external: [/dist|node_modules/] } } },
}
`

function timeInVitest({ processes, folder }: Tools): (url: string) => Promise<number> {
  const [config, result] = [join(folder, 'vitest.config.mjs'), join(folder, 'import-time.txt')]
  const vitest = join(BUILD.resolve('vitest/package.json'), '../vitest.mjs')
  const args = [vitest, 'run', '--root', join(import.meta.dirname, '..'), '--config', config]
  writeFileSync(config, CONFIG)
  return async (url) => {
    await processes.run(process.execPath, args, { env: { BENCH_URL: url, BENCH_RESULT: result } })
    return Number(readFileSync(result, 'utf8'))
  }
}

const PETS = 1_000_000

/** The start with a million pets, against the library that keeps them, alone. */
function compareMillion(tools: Tools): Comparison {
  const { processes } = tools
  return {
    id: 12,
    what: 'start with 1,000,000 pets',
    against: '@mswjs/data alone',
    rounds: Math.min(5, tools.rounds),
    figures: {
      seconds: { unit: 's', aim: below(4, 's') },
      memory: { what: ', resident memory then', unit: 'MB', aim: below(600, 'MB') },
    },
    ours: (build) => ({
      async measure() {
        // The first response is that to the update of the last pet: then all are there.
        const program = ourProgram(build, ['--pets', String(PETS)], toPatch(PETS, 1))
        await using server = await startServer(processes, program)
        return { seconds: server.readyAfter / 1000, memory: await readMemory(processes, server.pid) }
      },
    }),
    theirs: async () => {
      const script = await processes.compile('fill-library')
      return { measure: () => fillLibrary(tools, script) }
    },
  }
}

async function fillLibrary({ processes }: Tools, script: string): Promise<{ seconds: number; memory: number }> {
  const start = performance.now()
  await using filling = processes.fork(script, [pathToFileURL(BUILD.resolve('@mswjs/data')).href, String(PETS)])
  const { child, pid, complaint } = filling
  const [size] = await Promise.race([once(child, 'message'), once(child, 'exit')])
  if (size !== PETS) throw new Error(`Failed to fill @mswjs/data: it holds ${size} pets. ${complaint()}`)
  return { seconds: (performance.now() - start) / 1000, memory: await readMemory(processes, pid) }
}
