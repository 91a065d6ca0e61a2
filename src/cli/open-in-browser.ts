import { spawn } from 'node:child_process'

/**
 * Opens a URL with the system's opener, without waiting for it to exit.
 * @throws {Error} if the opener cannot be started.
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

/** `start` is a command of the Windows shell. It reads its first quoted argument as a window title. */
export function toOpener(platform: string, url: string): { command: string; args: readonly string[] } {
  if (platform === 'darwin') return { command: 'open', args: [url] }
  if (platform === 'win32') return { command: 'cmd', args: ['/c', 'start', '""', url] }
  return { command: 'xdg-open', args: [url] }
}
