import * as v from 'valibot'
import { DEFAULT_API_KEY } from '../auth/authenticator.ts'
import type { OpenApiVersion } from '../contract/document.gen.ts'
import { SPECIFICATION_VERSION } from '../contract/operations.gen.ts'
import { VERSION } from '../contract/version.ts'
import { type BaseUrls, DEFAULT_BASE_URL, writeBaseUrl } from '../http/base-url.ts'
import { writeExactJson } from '../http/exact-json.ts'
import { toFetchOutcome } from '../http/outcome.ts'
import { oneOf, type Schema } from '../http/schema.ts'
import { createJsonResponse, createResponse } from '../http/wire-response.ts'
import { toItemJson } from '../inventory/pet.ts'
import { MOST_STREAMS, type StreamEvent } from '../sandbox/event-feed.ts'
import type { SandboxInternals } from '../sandbox/sandbox.ts'
import type { MockRoutes } from './contract.ts'
import { ControlError, type RouteGroup } from './control-route.ts'
import { toDelaySetting } from './fault-routes.ts'

// Loaded on demand: the document is as large as the rest of the mock.
const loadDocument = () => import('../contract/document.gen.ts')

const DOCUMENT_QUERY: { readonly openapi: Schema<OpenApiVersion | undefined> } = {
  openapi: v.optional(oneOf(['3.1', '3.0'])),
}
const STREAM_HEADERS = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' }

export const mockRoutes: RouteGroup<MockRoutes> = {
  'GET /health': {
    answer: ({ sandbox, sandboxes, bases, delay }) => ({
      status: 'ok',
      version: VERSION,
      specificationVersion: SPECIFICATION_VERSION,
      basePath: bases[0].path,
      hasDemoKey: sandbox.keys.isValid(DEFAULT_API_KEY),
      delay,
      fixture: sandbox.state.seed.name,
      pets: sandbox.state.size,
      sandboxes: sandboxes.size,
    }),
  },
  'GET /events': {
    // https://html.spec.whatwg.org/multipage/server-sent-events.html
    answer({ sandbox, request, feeds }) {
      if (request.method === 'HEAD') return toFetchOutcome(new Response(null, { headers: STREAM_HEADERS }))
      const stream = feeds.open(sandbox.events, (event) => `event: ${event.type}\ndata: ${toData(event, sandbox)}\n\n`)
      if (stream !== undefined) return toFetchOutcome(new Response(stream, { headers: STREAM_HEADERS }))
      throw new ControlError(
        'too_many_requests',
        `The mock already has ${MOST_STREAMS} open event streams, the maximum. Close one and try again`,
      )
    },
  },
  'GET /spec.json': {
    scope: 'mock',
    query: DOCUMENT_QUERY,
    async answer({ bases, query: { openapi = '3.1' } }) {
      const json = (await loadDocument()).SPECIFICATION_JSON[openapi]
      if (isDefault(bases)) return createJsonResponse(200, json)
      const servers = bases.map((base) => ({ url: writeBaseUrl(base) }))
      return createJsonResponse(200, JSON.stringify({ ...(JSON.parse(json) as object), servers }))
    },
  },
  'GET /spec.yaml': {
    scope: 'mock',
    query: DOCUMENT_QUERY,
    /** Served as `application/yaml` (RFC 9512). */
    async answer({ bases, query: { openapi = '3.1' } }) {
      const yaml = (await loadDocument()).SPECIFICATION_YAML[openapi]
      const served = isDefault(bases) ? yaml : replaceServers(yaml, bases)
      return createResponse(200, served, { 'content-type': 'application/yaml' })
    },
  },
  'GET /openapi.json': {
    scope: 'mock',
    answer: async () =>
      createJsonResponse(200, (await import('../contract/control-document.gen.ts')).CONTROL_DOCUMENT_JSON),
  },
}

/** Always one line, as an SSE `data` field requires: compact JSON has no line breaks. */
function toData(event: StreamEvent, sandbox: SandboxInternals): string {
  const { state, faults } = sandbox
  switch (event.type) {
    case 'pet':
      return toItemJson(event.pet)
    case 'pet-removed':
      return `{"petId":${event.petId}}`
    case 'state':
      return JSON.stringify({ fixture: state.seed.name, pets: state.size })
    case 'exchange':
      return writeExactJson(event.entry)
    case 'journal-cleared':
      return '{}'
    case 'faults':
      // Bodies are omitted: they can be long, and the console does not show them.
      return writeExactJson(faults.list().map(({ body: _, ...fault }) => fault))
    case 'delay':
      return JSON.stringify(toDelaySetting(sandbox))
  }
}

function isDefault(bases: BaseUrls): boolean {
  return bases.every((base) => writeBaseUrl(base) === DEFAULT_BASE_URL)
}

/** Every JSON string is valid YAML, so `JSON.stringify` quotes the addresses correctly. */
function replaceServers(yaml: string, bases: BaseUrls): string {
  const servers = bases.map((base) => `  - url: ${JSON.stringify(writeBaseUrl(base))}\n`).join('')
  return yaml.replace(/^servers:\n(?: .*\n)+/m, () => `servers:\n${servers}`)
}
