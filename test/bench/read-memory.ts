import { readFileSync } from 'node:fs'
import { platform } from 'node:os'
import type { Processes } from './processes.ts'

const KB_PER_MB = 1024

/** The resident memory of a process, in MB. */
export async function readMemory(processes: Processes, pid: number): Promise<number> {
  if (platform() === 'linux') return readFromProc(pid)
  return Number(await processes.run('ps', ['-o', 'rss=', '-p', String(pid)])) / KB_PER_MB
}

function readFromProc(pid: number): number {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+)/m.exec(text)?.[1]) / KB_PER_MB
}
