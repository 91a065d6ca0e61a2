import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { BUILD, hasPeer, readPeerVersion, toPeerFile } from './builds.ts'
import { toScript } from './processes.ts'
import type { ServerProgram } from './servers.ts'
import { AUTHORIZATION, TEN_PETS } from './wire.ts'

/** Somebody else's mock server. */
export interface Peer {
  readonly name: string
  /** The package of the bench's own that it is in. */
  readonly needs?: string
  toProgram(folder: string): ServerProgram
}

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
    script: BUILD.resolve('@stoplight/prism-cli/dist/index.js'),
    toArgs: (port) => ['mock', '--port', String(port), '--host', '127.0.0.1', '--verboseLevel', 'silent', document],
    base: '',
  }
}

function toMockoon(folder: string): ServerProgram {
  const file = writeMockoonEnvironment(folder)
  const quiet = ['--repair', '--disable-log-to-file', '--disable-admin-api']
  return {
    script: toPeerFile('@mockoon/cli/bin/run.js'),
    toArgs: (port) => ['start', '--data', file, '--port', String(port), '--hostname', '127.0.0.1', ...quiet],
  }
}

interface Content {
  examples: Record<string, { value: unknown }>
}

interface Document {
  components: { schemas: Record<string, { examples?: unknown }> }
  paths: Record<string, Record<string, { responses: Record<string, { content: { 'application/json': Content } }> }>>
}

/** Writes the specification with the ten pets, and the updated one, as its examples: what Prism answers with. */
function writePrismDocument(folder: string): string {
  const file = join(folder, 'prism.json')
  const document = parse(readFileSync(new URL('../../spec/openapi.yaml', import.meta.url), 'utf8')) as Document
  const [, second] = TEN_PETS
  // Prism prefers a schema's example to that of an answer.
  for (const schema of Object.values(document.components.schemas)) delete schema.examples
  setExample(document, ['/inventory', 'get'], TEN_PETS)
  setExample(document, ['/inventory/{petId}', 'patch'], { ...second, quantity: 20 })
  writeFileSync(file, JSON.stringify(document))
  return file
}

function setExample(document: Document, [path, method]: [string, string], value: unknown): void {
  const content = document.paths[path]?.[method]?.responses['200']?.content['application/json']
  if (content === undefined) throw new Error(`Failed to write a document for Prism: ${method} ${path} has no answer.`)
  content.examples = { only: { value } }
}

/** Writes a Mockoon environment: the ten pets behind its CRUD route, with a key check. Mockoon adds what is left out. */
function writeMockoonEnvironment(folder: string): string {
  const file = join(folder, 'mockoon.json')
  const uuid = randomUUID()
  const pets = { statusCode: 200, default: true, bodyType: 'DATABUCKET', databucketID: 'pets', crudKey: 'petId' }
  const rule = { target: 'header', modifier: 'Authorization', value: AUTHORIZATION, invert: true, operator: 'equals' }
  const refusal = { statusCode: 401, body: '{}', rules: [rule] }
  const environment = {
    uuid: randomUUID(),
    lastMigration: 33,
    name: 'inventory',
    headers: [{ key: 'Content-Type', value: 'application/json' }],
    rootChildren: [{ type: 'route', uuid }],
    routes: [{ uuid, type: 'crud', endpoint: 'v1/inventory', responses: [pets, refusal] }],
    data: [{ uuid: randomUUID(), id: 'pets', name: 'pets', value: JSON.stringify(TEN_PETS) }],
  }
  writeFileSync(file, JSON.stringify(environment))
  return file
}
