import { once } from 'node:events'
import { BUILD, type Build } from '../builds.ts'
import { type Aim, atMost, type Comparison, type Side } from '../compare.ts'
import { toScript } from '../processes.ts'
import type { SubjectName } from '../scripts/subjects.ts'
import { bareProgram, ourProgram, type StartedServer, startServer } from '../servers.ts'
import type { Tools } from '../tools.ts'
import { createAgent, GET_LIST, send, toPatch, toSpreadPetId } from '../wire.ts'

const PETS = 100_000

interface Subject {
  readonly id: number
  readonly what: string
  readonly aim: Aim
  readonly against: string
  readonly ours: readonly [name: SubjectName, options?: object]
  readonly theirs: readonly [name: SubjectName, options?: object]
  /** How often a round does the work. */
  readonly count: number
}

const SUBJECTS: readonly Subject[] = [
  {
    id: 6,
    what: 'mock.fetch GET of 10 pets, read as JSON',
    aim: atMost(1.5),
    against: 'Request, Response.json, .json()',
    ours: ['fetch-list'],
    theirs: ['plain-fetch-list'],
    count: 1000,
  },
  {
    id: 7,
    what: 'fetch through interceptRequests',
    aim: atMost(0.2),
    against: 'setupServer, own handlers',
    ours: ['intercepted-fetch'],
    theirs: ['setup-server-fetch'],
    count: 100,
  },
  {
    id: 10,
    what: 'reset() after 10 changes, 100,000 pets',
    aim: atMost(2),
    against: '10 pets',
    ours: ['reset-state', { pets: PETS }],
    theirs: ['reset-state', { pets: 10 }],
    count: 1000,
  },
]

/** What one call takes: rows 6, 7, 9 and 10. */
export function compareInProcess(tools: Tools): Comparison[] {
  const subjects = SUBJECTS.map(({ id, what, aim, against, ours, theirs, count }): Comparison => {
    const start = (build: Build, [name, options = {}]: Subject['ours']) =>
      startSubject(tools, { build, args: [name, JSON.stringify(options)], count })
    return {
      id,
      what,
      against,
      rounds: tools.shortRounds,
      figures: { time: { unit: 'µs', aim } },
      ours: (build) => start(build, ours),
      theirs: () => start(BUILD, theirs),
    }
  })
  return [...subjects, ...[false, true].map((changes) => compareLists(tools, changes))]
}

/** A subject runs in a process of its own: asked for a number of times, it does its work and says how long it took. */
async function startSubject(
  { processes }: Tools,
  { build, args, count }: { build: Build; args: readonly string[]; count: number },
): Promise<Side> {
  const started = processes.fork(toScript('subjects'), args, { BENCH_BUILD: build.folder })
  const { child, complaint } = started
  const ended = once(child, 'exit').then(() => {
    throw new Error(`Failed to measure ${args[0]}: its process ended. ${complaint()}`)
  })
  ended.catch(() => {})
  const receive = async (): Promise<unknown> => {
    const [message] = await Promise.race([once(child, 'message'), ended])
    return (message as { answer: unknown }).answer
  }
  const ask = (times: number): Promise<unknown> => {
    child.send(times)
    return receive()
  }
  await receive()
  return {
    answer: await ask(0),
    measure: async () => ({ time: ((await ask(count)) as number) * (1000 / count) }),
    [Symbol.asyncDispose]: () => started[Symbol.asyncDispose](),
  }
}

/** How many lists V8 gets to compile what it runs. */
const WARM_UP = 200
const READS = 3

/** One request at a time: of so many bytes, a load generator would measure little but its own reading. */
function compareLists(tools: Tools, changes: boolean): Comparison {
  const flags = ['--pets', String(PETS)]
  const measure = async (server: StartedServer, isChanged: boolean): Promise<Side> => {
    const agent = createAgent()
    let turn = 0
    const read = async (): Promise<number> => {
      if (isChanged) await send(server.base, toPatch(toSpreadPetId(turn, PETS), turn++ % 100))
      const start = performance.now()
      const { status } = await send(server.base, GET_LIST, agent)
      if (status !== 200) throw new Error(`Failed to measure: a response had status ${status}.`)
      return performance.now() - start
    }
    const { body } = await send(server.base, GET_LIST)
    for (let done = 0; done < WARM_UP; done += 1) await read()
    return {
      answer: body.toString(),
      async measure() {
        let time = 0
        for (let done = 0; done < READS; done += 1) time += await read()
        return { time: time / READS }
      },
      async [Symbol.asyncDispose]() {
        agent.destroy()
        await server[Symbol.asyncDispose]()
      },
    }
  }
  return {
    id: 9,
    what: `GET list of 100,000 pets${changes ? ' after a PATCH' : ''}, over HTTP`,
    against: 'bare node:http',
    rounds: tools.shortRounds,
    figures: { time: { unit: 'ms', aim: atMost(changes ? 4 : 1.1) } },
    ours: async (build) => measure(await startServer(tools.processes, ourProgram(build, flags)), changes),
    theirs: async () => {
      const program = await bareProgram(tools, { build: BUILD, flags })
      return measure(await startServer(tools.processes, program), false)
    },
  }
}
