import { DEFAULT_API_KEY } from '../auth/authenticator.ts'
import { SPECIFICATION_VERSION } from '../contract/operations.gen.ts'
import { VERSION } from '../contract/version.ts'
import { type BaseUrls, DEFAULT_BASE_URL, writeBaseUrl } from '../http/base-url.ts'
import { writeExactJson } from '../http/exact-json.ts'
import { toFetchOutcome } from '../http/outcome.ts'
import { createJsonResponse, createResponse } from '../http/wire-response.ts'
import { toItemJson } from '../inventory/pet.ts'
import type { Delay } from '../sandbox/delay.ts'
import { MOST_STREAMS } from '../sandbox/events.ts'
import type { SandboxInternals } from '../sandbox/sandbox.ts'
import { ControlError, type RouteGroup } from './control-route.ts'
import { openEventFeed, type StreamEvent } from './event-feed.ts'
import { toDelaySetting } from './fault-routes.ts'

/** The mock itself. */
export interface MockRoutes {
  /** Check that the mock is running */
  'GET /health': { id: 'getHealth'; response: Health }
  /**
   * Stream the sandbox's events
   *
   * Server-sent events. The `data` of each event is one line of JSON.
   *
   * | event | data |
   * | --- | --- |
   * | `pet` | InventoryItem: the pet that was added or changed |
   * | `pet-removed` | `{ "petId": 7 }` |
   * | `state` | `{ "fixture": "default", "pets": 10 }`: the whole state was replaced, or many pets were changed at once; reload it. Also the first event of every stream |
   * | `exchange` | JournalEntry with bodies cut to 4,096 bytes; the journal has more |
   * | `journal-cleared` | `{}` |
   * | `faults` | array of ActiveFault: the faults that can still be triggered, without their bodies. Quick changes are one event |
   * | `delay` | DelaySetting |
   * | `lagged` | `{ "message": "…" }`: the last event for a client with more than 1 MB of unread events. Reconnect and reload everything |
   *
   * A stream ends when its sandbox is removed, the mock stops, or the client falls too far behind.
   * A mock has at most 64 open streams.
   */
  'GET /events': { id: 'getEvents'; media: 'text/event-stream'; errors: 429 }
  /** Get the service's OpenAPI document as JSON */
  'GET /spec.json': { id: 'getServiceDocument'; response: OpenApiDocument }
  /** Get the service's OpenAPI document as YAML */
  'GET /spec.yaml': { id: 'getServiceDocumentYaml'; media: 'application/yaml' }
  /** Get this document */
  'GET /openapi.json': { id: 'getControlDocument'; response: OpenApiDocument }
}

/**
 * The response of `GET /_mock/health`.
 * @example {"status":"ok","version":"0.1.0","specificationVersion":"1.0.0","basePath":"/v1","hasDemoKey":true,"delay":0,"fixture":"default","pets":10,"sandboxes":0}
 */
export interface Health {
  /** The mock is running. */
  readonly status: 'ok'
  /** The version of the mock. */
  readonly version: string
  /** The version of the service's specification. */
  readonly specificationVersion: string
  /** The base path of the service. */
  readonly basePath: string
  /** Whether demo-key is a valid API key of the sandbox. */
  readonly hasDemoKey: boolean
  /** The mock's delay. A sandbox's own delay replaces it. */
  readonly delay: Delay
  /** The fixture that was loaded last. */
  readonly fixture: string
  /** The number of pets in the sandbox. */
  readonly pets: number
  /** The number of sandboxes, without the default one. */
  readonly sandboxes: number
}

interface OpenApiDocument {
  readonly openapi: string
  readonly info: object
  readonly paths: object
}

// Loaded on demand: the document is as large as the rest of the mock.
const loadDocument = () => import('../contract/document.gen.ts')

const STREAM_HEADERS = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' }

/** @internal */
export const mockRoutes: RouteGroup<MockRoutes> = {
  'GET /health': {
    answer: ({ authenticator, sandbox, sandboxes, bases, delay }) => ({
      status: 'ok',
      version: VERSION,
      specificationVersion: SPECIFICATION_VERSION,
      basePath: bases[0].path,
      hasDemoKey: authenticator.isOwn(DEFAULT_API_KEY),
      delay,
      fixture: sandbox.state.seed.name,
      pets: sandbox.state.size,
      sandboxes: sandboxes.size,
    }),
  },
  'GET /events': {
    // https://html.spec.whatwg.org/multipage/server-sent-events.html
    answer({ sandbox: { controls }, sandboxes, request, streams }) {
      if (request.method === 'HEAD') return toFetchOutcome(new Response(null, { headers: STREAM_HEADERS }))
      // Otherwise the stream would miss the events of a sandbox that is created later.
      const sandbox = sandboxes.open(controls.name)
      const write = (event: StreamEvent): string => `event: ${event.type}\ndata: ${toData(event, sandbox)}\n\n`
      const stream = openEventFeed({ streams, events: sandbox.events, write })
      if (stream !== undefined) return toFetchOutcome(new Response(stream, { headers: STREAM_HEADERS }))
      throw new ControlError(
        'too_many_requests',
        `The mock already has ${MOST_STREAMS} open event streams, the maximum. Close one and try again`,
      )
    },
  },
  'GET /spec.json': { answer: async ({ bases }) => createJsonResponse(200, await writeDocument(bases)) },
  'GET /spec.yaml': {
    /** Served as `application/yaml` (RFC 9512). All JSON is YAML. */
    async answer({ bases }) {
      const yaml = isDefault(bases) ? (await loadDocument()).SPECIFICATION_YAML : await writeDocument(bases)
      return createResponse(200, yaml, { 'content-type': 'application/yaml' })
    },
  },
  'GET /openapi.json': {
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

async function writeDocument(bases: BaseUrls): Promise<string> {
  const json = (await loadDocument()).SPECIFICATION_JSON['3.1']
  if (isDefault(bases)) return json
  return JSON.stringify({ ...JSON.parse(json), servers: bases.map((base) => ({ url: writeBaseUrl(base) })) })
}
