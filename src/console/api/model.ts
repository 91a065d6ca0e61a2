/** A pet in stock. Its id is an int64 and may be beyond what a number holds, so it stays as it was written. */
export interface Pet {
  readonly petId: string
  readonly quantity: number
  readonly status: string
}

/** What `GET /_mock/health` tells. */
export interface Health {
  readonly version: string
  readonly specificationVersion: string
  /** Where the service lies, beside the control API. */
  readonly basePath?: string
  /** The mock's own latency, where the sandbox has none. */
  readonly delay?: Latency
}

export interface FixtureSummary {
  readonly name: string
  readonly description?: string
  readonly pets: number
}

export interface SandboxSummary {
  readonly name: string
  readonly pets: number
}

/** Milliseconds, fixed or a range. */
export type Latency = number | readonly [min: number, max: number] | string
/** `null` where the mock's own latency counts. */
export type Delay = Latency | null

/** A fault that is active. */
export interface Fault {
  readonly id: number
  readonly used: number
  readonly operation?: string
  readonly petId?: string
  readonly status?: number
  readonly body?: unknown
  readonly error?: string
  readonly delay?: Latency
  readonly times?: number
  readonly probability?: number
  readonly retryAfter?: number
}

/** One exchange of the journal. */
export interface Exchange {
  readonly id: number
  /** In ISO 8601, by the mock's clock. */
  readonly time: string
  /** In milliseconds. */
  readonly duration: number
  readonly operation?: string
  /** Of the operation: `experimental` or `deprecated`. */
  readonly stability?: string
  readonly petId?: string
  readonly request: {
    readonly method: string
    readonly path: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
    /** Whether there is more of the body: in events it is cut shorter than in the journal. */
    readonly isCut?: boolean
  }
  /** None where the client got none. */
  readonly answer?: {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
    readonly isCut?: boolean
  }
  readonly fault?: { readonly id: number; readonly status?: number; readonly error?: string }
}
