import { BUILD } from '../builds.ts'
import { atMost, type Comparison, type Side } from '../compare.ts'
import { readMemory } from '../processes.ts'
import { bareProgram, ourProgram, type ServerProgram, startServer } from '../servers.ts'
import type { Tools } from '../tools.ts'

/** From the start of a process to its first response: row 4. */
export function compareStarts(tools: Tools): Comparison[] {
  const comparison: Comparison = {
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
  return [comparison]
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
