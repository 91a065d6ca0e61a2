/**
 * A module for `node --import` that ties Prism to the process that started it. Prism tells it the port it took, as
 * Node itself knows it (https://nodejs.org/api/diagnostics_channel.html#event-tracingnetserverlistenasyncend); ends
 * with it, whatever ended it, and then removes `folder`; and leaves Ctrl-C, which reaches every program of a terminal,
 * to it.
 */
export function createPrismPreload(folder: string): string {
  const source = `
    import { subscribe } from 'node:diagnostics_channel'
    import { rmSync } from 'node:fs'
    process.on('exit', () => rmSync(${JSON.stringify(folder)}, { recursive: true, force: true }))
    process.on('disconnect', () => process.exit())
    process.on('SIGINT', () => {})
    if (!process.connected) process.exit()
    process.channel.unref()
    subscribe('tracing:net.server.listen:asyncEnd', ({ server }) => process.send(server.address()))`
  return `data:text/javascript,${encodeURIComponent(source)}`
}
