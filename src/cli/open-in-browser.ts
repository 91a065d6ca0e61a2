import { spawn } from 'node:child_process'

/**
 * Hands an address to the program that opens addresses on this system, and does not wait for it.
 * @throws {Error} where there is no such program.
 */
export function openInBrowser(url: string): Promise<void> {
  const { command, args } = toOpener(process.platform, url)
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { detached: true, stdio: 'ignore', windowsVerbatimArguments: true })
    child.once('error', reject)
    child.once('spawn', () => {
      child.unref()
      resolve()
    })
  })
}

/** `start` is no program but a command of the shell; its first argument in quotes is the title of a window. */
export function toOpener(platform: string, url: string): { command: string; args: readonly string[] } {
  if (platform === 'darwin') return { command: 'open', args: [url] }
  if (platform === 'win32') return { command: 'cmd', args: ['/c', 'start', '""', url] }
  return { command: 'xdg-open', args: [url] }
}
