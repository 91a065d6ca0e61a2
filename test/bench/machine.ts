import { arch, availableParallelism, cpus, platform, totalmem } from 'node:os'

/** What the figures were measured on. */
export interface Machine {
  readonly cpus: number
  readonly model: string
  readonly memory: string
  readonly platform: string
  readonly node: string
}

export function readMachine(): Machine {
  return {
    cpus: availableParallelism(),
    model: cpus()[0]?.model ?? 'unknown',
    memory: `${Math.round(totalmem() / 1024 ** 3)} GB`,
    platform: `${platform()} ${arch()}`,
    node: process.version,
  }
}
