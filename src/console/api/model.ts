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

/** Milliseconds, fixed or a range; `null` where the double's own delay counts. */
export type Delay = number | readonly [min: number, max: number] | string | null

/** A fault that can still strike. */
export interface Fault {
  readonly id: number
  readonly used: number
  readonly operation?: string
  readonly petId?: string
  readonly status?: number
  readonly body?: unknown
  readonly error?: string
  readonly delay?: Exclude<Delay, null>
  readonly times?: number
  readonly probability?: number
  readonly retryAfter?: number
}

/** One exchange of the journal. */
export interface Exchange {
  readonly id: number
  /** In ISO 8601, by the clock of the double. */
  readonly time: string
  /** In milliseconds. */
  readonly duration: number
  readonly operation?: string
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
