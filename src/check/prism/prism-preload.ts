/**
 * A module for `node --import` that ties Prism to its parent process. It reports Prism's port to the parent
 * (https://nodejs.org/api/diagnostics_channel.html#event-tracingnetserverlistenasyncend), stops Prism and removes `folder`
 * when the parent ends for any reason, and ignores stop signals, which a terminal sends to both processes.
 */
export function createPrismPreload(folder: string): string {
  const source = `
    import { subscribe } from 'node:diagnostics_channel'
    import { rmSync } from 'node:fs'
    process.on('exit', () => rmSync(${JSON.stringify(folder)}, { recursive: true, force: true }))
    process.on('disconnect', () => process.exit())
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
    if (!process.connected) process.exit()
    process.channel.unref()
    subscribe('tracing:net.server.listen:asyncEnd', ({ server }) => process.send(server.address()))`
  return `data:text/javascript,${encodeURIComponent(source)}`
}
