import { spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/**
 * Signals a process and everything that it has started, parents first, because shells do not pass signals on. They have no
 * process group of their own: a terminal could not reach them, and neither could a program that kills our group.
 */
export function signalTree(root: number, signal: NodeJS.Signals): void {
  if (process.platform === 'win32') return void spawn('taskkill', ['/pid', String(root), '/t', '/f'])
  const processes = listProcesses()
  const tree = [root]
  for (const parent of tree) tree.push(...processes.filter((each) => each.parent === parent).map(({ pid }) => pid))
  for (const pid of tree) {
    try {
      process.kill(pid, signal)
    } catch {
      // It has ended.
    }
  }
}

/** Small images of Linux have no `ps`, and other systems no `/proc`. */
function listProcesses(): { pid: number; parent: number }[] {
  const isLinux = process.platform === 'linux'
  const lines = isLinux
    ? readdirSync('/proc').map(readStatus)
    : String(spawnSync('ps', ['-Ao', 'pid=,ppid=']).stdout).split('\n')
  return lines.map((line) => {
    const [pid = 0, parent = 0] = line.trim().split(/\s+/).map(Number)
    return { pid, parent }
  })
}

/** `4711 4710`: a process and its parent. */
function readStatus(pid: string): string {
  try {
    const [, parent] = /^PPid:\t(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return `${pid} ${parent}`
  } catch {
    return ''
  }
}
