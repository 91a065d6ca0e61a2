import { fileURLToPath } from 'node:url'
import { resolveFromRoot } from '../root.ts'
import type { ServerProgram } from '../start-server.ts'
import { hasPeer, readPeerVersion, toPeerFile } from './peer-package.ts'
import { writeMockoonEnvironment } from './write-mockoon-environment.ts'
import { writePrismDocument } from './write-prism-document.ts'

/** Somebody else's mock server. */
export interface Peer {
  readonly name: string
  /** The package of the bench's own that it is in. */
  readonly needs?: string
  toProgram(folder: string): ServerProgram
}

const toScript = (name: string): string => fileURLToPath(new URL(`${name}.ts`, import.meta.url))
const scripted = (name: string) => (): ServerProgram => ({ script: toScript(name), toArgs: (port) => [String(port)] })

/** Prism has no state and looks whether there is a key, not which; the others do what the mock does. */
export const PEERS: readonly Peer[] = [
  { name: 'json-server', needs: 'json-server', toProgram: scripted('json-server') },
  { name: 'Prism mock', toProgram: toPrism },
  { name: 'Mockoon', needs: '@mockoon/cli', toProgram: toMockoon },
  { name: '@mswjs/http-middleware', needs: '@mswjs/http-middleware', toProgram: scripted('http-middleware') },
  { name: 'msw getResponse', toProgram: scripted('plain-msw') },
]

export function isInstalled({ needs }: Peer): boolean {
  return needs === undefined || hasPeer(needs)
}

export function toLabel({ name, needs }: Peer): string {
  return needs === undefined ? name : `${name} ${readPeerVersion(needs)}`
}

/** Prism serves the paths without the base path. */
function toPrism(folder: string): ServerProgram {
  const document = writePrismDocument(folder)
  return {
    script: resolveFromRoot('@stoplight/prism-cli/dist/index.js'),
    toArgs: (port) => ['mock', '--port', String(port), '--host', '127.0.0.1', '--verboseLevel', 'silent', document],
    base: '',
  }
}

function toMockoon(folder: string): ServerProgram {
  const file = writeMockoonEnvironment(folder)
  const quiet = ['--disable-log-to-file', '--disable-admin-api']
  return {
    script: toPeerFile('@mockoon/cli/bin/run.js'),
    toArgs: (port) => ['start', '--data', file, '--port', String(port), '--hostname', '127.0.0.1', ...quiet],
  }
}
