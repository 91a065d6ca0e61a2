// The table of control routes, as types: `npm run generate` makes spec/control.openapi.yaml and the reference from it, and
// the handlers, the client and the console have their types from it. Types, because they take no room in a page.
// A docstring's first line is the summary. `@returns` describes the response, with an example; each `@example` is a body.

import type { KeyChange } from '../auth/authenticator.ts'
import type { OperationId } from '../contract/operations.gen.ts'
import type { ErrorCode } from '../http/error-response.ts'
import type { InventoryItem, PetId } from '../inventory/pet.ts'
import type { Delay } from '../sandbox/delay.ts'
import type { Fault } from '../sandbox/fault.ts'
import type { ActiveFault } from '../sandbox/faults.ts'
import type { PetChange } from '../sandbox/inventory-controls.ts'
import type { JournalEntry } from '../sandbox/journal-entry.ts'
import type { RequestMethod } from '../sandbox/rule.ts'
import type { Fixture } from '../store/fixture.ts'

/** The mock itself. */
export interface MockRoutes {
  /**
   * Check that the mock is running
   * @returns The mock is running. {"status":"ok","version":"0.1.0","specificationVersion":"1.0.0","basePath":"/v1","hasDemoKey":true,"delay":0,"fixture":"default","pets":10,"sandboxes":0}
   */
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
   * | `state` | `{ "fixture": "default", "pets": 10 }`: the whole state was replaced; reload it. Also the first event of every stream |
   * | `exchange` | JournalEntry with bodies cut to 4,096 bytes; the journal has more of them |
   * | `journal-cleared` | `{}` |
   * | `faults` | array of ActiveFault: the faults that can still be triggered, without their bodies. Changes in quick succession are one event |
   * | `delay` | DelaySetting |
   * | `lagged` | `{ "message": "…" }`: the last event for a client with more than 1 MB of unread events. Reconnect and reload everything |
   *
   * A stream ends when its sandbox is removed, when the mock stops, or when the client falls too far behind.
   * A mock has at most 64 open streams.
   * @returns The event stream.
   */
  'GET /events': { id: 'getEvents'; media: 'text/event-stream'; errors: 429 }
  /**
   * Get the service's OpenAPI document as JSON
   * @returns The document. {"openapi":"3.1.0","info":{},"paths":{}}
   */
  'GET /spec.json': { id: 'getServiceDocument'; scope: 'mock'; query: DocumentQuery; response: OpenApiDocument }
  /**
   * Get the service's OpenAPI document as YAML
   * @returns The document.
   */
  'GET /spec.yaml': { id: 'getServiceDocumentYaml'; scope: 'mock'; query: DocumentQuery; media: 'application/yaml' }
  /**
   * Get this document
   * @returns The document. {"openapi":"3.1.0","info":{},"paths":{}}
   */
  'GET /openapi.json': { id: 'getControlDocument'; scope: 'mock'; response: OpenApiDocument }
}

/** The inventory of a sandbox. */
export interface StateRoutes {
  /**
   * Get the state as a fixture
   * @returns The current state. {"inventory":[{"petId":1,"quantity":12,"status":"available"}]}
   */
  'GET /state': { id: 'getState'; response: State }
  /**
   * Replace the state with a fixture
   *
   * An invalid fixture is rejected, and the message names every problem. A reset still restores the seed.
   * @example One pet: {"inventory":[{"petId":1,"quantity":2,"status":"available"}]}
   * @returns The current state. {"inventory":[{"petId":1,"quantity":2,"status":"available"}]}
   */
  'PUT /state': { id: 'replaceState'; body: Fixture; response: State }
  /**
   * Save the state of all sandboxes to the file of --state
   *
   * Responds after the whole file is on the disk. If the mock was started without --state, the response is 400.
   * @returns The state is saved.
   */
  'POST /state/save': { id: 'saveState'; scope: 'mock'; errors: 500 }
  /**
   * Reset the sandbox
   *
   * Restores the seed, restarts the random sequence, and removes handlers, faults, the delay, changes of API keys and
   * journal entries.
   * @returns The current state. {"inventory":[{"petId":1,"quantity":12,"status":"available"}]}
   */
  'POST /reset': { id: 'reset'; response: State }
  /**
   * List the mock's own fixture and the shipped ones
   * @returns The fixtures. [{"name":"empty","description":"A store that tracks no pets","pets":0}]
   */
  'GET /fixtures': { id: 'listFixtures'; response: readonly FixtureSummary[] }
  /**
   * Replace the state with a fixture, by its name or content
   * @example A shipped fixture: {"fixture":"low-stock"}
   * @returns The current state. {"inventory":[{"petId":1,"quantity":1,"status":"available"}]}
   */
  'POST /load': { id: 'loadFixture'; body: FixtureChoice; response: State }
  /**
   * Find pets
   *
   * Uses the query language of `@mswjs/data`. Conditions on `petId` and `quantity`: `equals`, `notEquals`, `gt`, `gte`, `lt`,
   * `lte`, `between`, `notBetween`, `in`, `notIn`; on `status`: `equals`, `notEquals`, `in`, `notIn`. All of them must
   * hold. Every int64 is compared exactly.
   * @returns The pets, and the number of all matching pets. {"count":1,"pets":[{"petId":3,"quantity":0,"status":"sold"}]}
   */
  'GET /pets': { id: 'findPets'; query: PetParameters; response: FoundPets }
  /**
   * Get one pet
   * @returns The current values of the pet. {"petId":1,"quantity":12,"status":"available"}
   */
  'GET /pets/{petId}': { id: 'getPetState'; response: InventoryItem; errors: 404 }
  /**
   * Change or add a pet
   *
   * An existing pet keeps the values that the body omits. A new pet needs both values.
   * @example Change the status: {"status":"sold"}
   * @returns The current values of the pet. {"petId":1,"quantity":12,"status":"available"}
   */
  'PUT /pets/{petId}': { id: 'putPet'; body: PetChange; status: 200 | 201; response: InventoryItem }
  /**
   * Remove a pet
   * @returns The pet is removed.
   */
  'DELETE /pets/{petId}': { id: 'deletePet'; errors: 404 }
}

/** The requests to a sandbox and their responses. */
export interface JournalRoutes {
  /**
   * List the matching exchanges, oldest first
   * @returns The exchanges. {"entries":[],"count":0,"dropped":0,"isComplete":true}
   */
  'GET /journal': { id: 'getJournal'; query: JournalQuery; response: JournalPage }
  /**
   * Clear the journal
   * @returns The journal is empty.
   */
  'DELETE /journal': { id: 'clearJournal' }
}

/** Injected faults and latency. */
export interface MisbehaviourRoutes {
  /**
   * List the faults that can still be triggered
   * @returns The faults, in the order in which they were added. [{"status":503,"id":1,"used":1}]
   */
  'GET /faults': { id: 'listFaults'; response: readonly ActiveFault[] }
  /**
   * Add a fault
   * @example The next two updates fail: {"operation":"updateInventory","status":503,"retryAfter":1,"times":2}
   * @returns The fault is active. {"status":503,"times":2,"id":1,"used":0}
   */
  'POST /faults': { id: 'addFault'; body: Fault; status: 201; response: ActiveFault }
  /**
   * Remove all faults
   * @returns All faults are removed.
   */
  'DELETE /faults': { id: 'clearFaults' }
  /**
   * Remove a fault
   * @returns The fault is removed.
   */
  'DELETE /faults/{id}': { id: 'removeFault'; errors: 404 }
  /**
   * Get the sandbox's own delay
   * @returns The current delay. {"delay":null}
   */
  'GET /delay': { id: 'getDelay'; response: DelaySetting }
  /**
   * Delay every response of the sandbox
   * @example From 100 to 300 ms: {"delay":[100,300]}
   * @example Restore the mock's delay: {"delay":null}
   * @returns The current delay. {"delay":null}
   */
  'PUT /delay': { id: 'setDelay'; body: DelayChange; response: DelaySetting }
  /**
   * Get the time by which delays pass
   * @returns The clock as it is now. {"mode":"real","now":1795298400000,"pending":0}
   */
  'GET /clock': { id: 'getClock'; scope: 'mock'; response: ClockState }
  /**
   * Stop, restart or advance the time
   *
   * All sandboxes share the clock. While it is virtual, delays end only when it is advanced. The response comes when
   * all delays that are due have ended. To advance a real clock is a 400.
   * @example Stop the time: {"mode":"virtual"}
   * @example Advance it by five seconds: {"advance":5000}
   * @returns The clock as it is now. {"mode":"real","now":1795298400000,"pending":0}
   */
  'POST /clock': { id: 'changeClock'; scope: 'mock'; body: ClockChange; response: ClockState }
}

/** Isolated copies of the state, one for each test. */
export interface SandboxesRoutes {
  /**
   * Add or revoke an API key of the sandbox
   *
   * Concerns this sandbox alone, until it is reset. A revoked key gets a 401. Keys may be given with or without `~` and
   * the name of the sandbox. No response repeats them. A key to revoke that the sandbox never had is a 400. If
   * either key is refused, nothing is changed.
   * @example A key expires: {"revoke":"demo-key"}
   * @example A key replaces another: {"add":"new-key","revoke":"demo-key"}
   * @returns The keys are changed.
   */
  'POST /keys': { id: 'changeKeys'; body: KeyChange }
  /**
   * List all sandboxes, the default one first
   * @returns The sandboxes. [{"name":"default","fixture":"default","pets":10,"changes":0}]
   */
  'GET /sandboxes': { id: 'listSandboxes'; response: readonly SandboxSummary[] }
  /**
   * Remove a sandbox
   *
   * The next use of its name creates it again. The default sandbox cannot be removed; the response is then 400.
   * @returns The sandbox is removed.
   */
  'DELETE /sandboxes/{name}': { id: 'deleteSandbox'; scope: 'mock'; errors: 404 }
}

/** Every route of the control API, by its method and path. */
export interface ControlRoutes extends MockRoutes, StateRoutes, JournalRoutes, MisbehaviourRoutes, SandboxesRoutes {}

/** A path parameter, by its name. */
export interface PathParameters {
  /** The id of the pet, an int64 in canonical decimal form. */
  petId: PetId
  /**
   * The id of the fault.
   * @minimum 1
   */
  id: number
  /** The name of the sandbox. */
  name: SandboxName
}

/**
 * The name of a sandbox.
 * @pattern ^[A-Za-z0-9._-]{1,64}$
 */
export type SandboxName = string

/** The response of `GET /_mock/health`. */
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

interface DocumentQuery {
  /**
   * The version of OpenAPI that the document is written in. 3.0 is for tools that cannot read 3.1.
   * @default 3.1
   */
  readonly openapi?: '3.1' | '3.0'
}

interface OpenApiDocument {
  readonly openapi: string
  readonly info: object
  readonly paths: object
}

/** The current state as a fixture. */
export interface State {
  readonly inventory: InventoryItem[]
}

export interface FixtureSummary {
  readonly name: string
  readonly description: string
  /** The number of pets. */
  readonly pets: number
}

interface FixtureChoice {
  /** The name of a shipped fixture or of the mock's own, or a fixture. */
  readonly fixture: string | Fixture
}

interface PetParameters {
  /**
   * The conditions by property, as JSON. Without conditions, every pet matches.
   * @example {"quantity":{"lte":3},"status":{"in":["available","pending"]}}
   */
  readonly where?: object
  /**
   * A property with `asc` or `desc`, or a list of them, as JSON. By default, pets are in the order of the service's list.
   * @example {"quantity":"asc"}
   */
  readonly orderBy?: unknown
  /**
   * The maximum number of pets to return.
   * @minimum 0
   */
  readonly take?: number
  /**
   * The number of pets to skip.
   * @minimum 0
   */
  readonly skip?: number
}

interface FoundPets {
  /** The number of all matching pets, regardless of `skip` and `take`. */
  readonly count: number
  readonly pets: InventoryItem[]
}

interface JournalQuery {
  /** Matches only exchanges of this operation. */
  readonly operation?: OperationId
  /** Matches only exchanges with this method. `GET` also matches `HEAD`. */
  readonly method?: RequestMethod
  /** Matches only exchanges with this path, with or without the base path, such as `/orders/7` or `/orders/{id}`. */
  readonly path?: string
  /** Matches only exchanges with this pet in the path. */
  readonly petId?: PetId
  /** Matches only exchanges with this response status, or class of statuses. */
  readonly status?: HttpStatus | '1xx' | '2xx' | '3xx' | '4xx' | '5xx'
  /**
   * Matches only exchanges newer than the one with this id.
   * @minimum 0
   */
  readonly after?: number
  /**
   * Matches only exchanges older than the one with this id.
   * @minimum 0
   */
  readonly before?: number
  /** Matches only exchanges with each of these words in the method, path, status (`404 4xx`), fault or error response. */
  readonly search?: string
  /** `none` returns empty bodies, except those of error responses. */
  readonly bodies?: 'none'
  /**
   * The maximum number of exchanges. The newest ones are returned.
   * @minimum 1
   */
  readonly limit?: number
}

/**
 * @minimum 100
 * @maximum 599
 */
type HttpStatus = number

interface JournalPage {
  readonly entries: JournalEntry[]
  /** The number of all matching exchanges, regardless of `before` and `limit`. */
  readonly count: number
  /** The number of older exchanges that were dropped. */
  readonly dropped: number
  /** False if dropped exchanges might have matched. */
  readonly isComplete: boolean
}

interface DelayChange {
  /** `null` restores the mock's delay. */
  readonly delay: Delay | string | null
}

export interface DelaySetting {
  /** `null` if the mock's delay applies. */
  readonly delay: Delay | null
}

type ClockMode = 'virtual' | 'real'

/** It needs `mode` or `advance`. With both, the mode is changed first. */
export interface ClockChange {
  readonly mode?: ClockMode
  /**
   * The distance in milliseconds.
   * @minimum 0
   */
  readonly advance?: number
}

/** The clock of the mock. */
export interface ClockState {
  /** Whether time stands still until it is advanced. */
  readonly mode: ClockMode
  /** Milliseconds since 1970. */
  readonly now: number
  /** The number of delays in progress. */
  readonly pending: number
}

export interface SandboxSummary {
  readonly name: SandboxName
  /** The fixture that was loaded last. */
  readonly fixture: string
  /** The number of pets. */
  readonly pets: number
  /** The number of pets that differ from the fixture. */
  readonly changes: number
}

/** An error response. */
export interface ErrorObject {
  /**
   * A 404 has `unknown_pet`, `unknown_fault` or `unknown_sandbox` if the resource in the path does not exist, and
   * `not_found` if the route does not exist, for example because the control API is off.
   */
  readonly code: Exclude<ErrorCode, 'not_specified' | 'bad_gateway'>
  readonly message: string
  /** The HTTP status code, repeated. */
  readonly status: number
}

/** The method and path of a route: `GET /state`. */
export type RouteName = keyof ControlRoutes

/** The JSON of a successful response; `undefined` if it has none. */
export type ResponseOf<Route extends RouteName> = ControlRoutes[Route] extends { response: infer Json }
  ? Json
  : undefined

/** The JSON body of a request; `never` if the route has none. */
export type BodyOf<Route extends RouteName> = ControlRoutes[Route] extends { body: infer Body } ? Body : never

/** The parameters in the path of a route. */
export type ParamsOf<Route> = Route extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [Each in Name]: string } & ParamsOf<Rest>
  : object

/** The query of a route, as in its URL. */
export type QueryOf<Route extends RouteName> = ControlRoutes[Route] extends { query: infer Query }
  ? { readonly [Name in keyof Query]?: string }
  : object
