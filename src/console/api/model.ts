import type {
  DelaySetting,
  Health as MockHealth,
  ResponseOf,
  SandboxSummary as Sandbox,
  FixtureSummary as Summary,
} from '../../control/contract.ts'

/**
 * A value of the control API in the console: read-only, and with each `petId` as a string of digits, because an int64 may
 * not fit into a number.
 */
export type Received<T> = T extends object
  ? { readonly [Name in keyof T]: Name extends 'petId' ? Extract<T[Name], undefined> | string : Received<T[Name]> }
  : T

export type Pet = Received<ResponseOf<'GET /pets/{petId}'>>

export type Health = Received<MockHealth>

export type FixtureSummary = Received<Summary>

export type SandboxSummary = Received<Sandbox>

/** Milliseconds, fixed or a range. */
export type Latency = Received<NonNullable<Fault['delay']>>

/** `null` if the mock's own latency applies. */
export type Delay = DelaySetting['delay']

/** A fault that is active. */
export type Fault = Received<ResponseOf<'GET /faults'>[number]>

/** A change of the stock. */
export type Change = Received<ResponseOf<'GET /history'>[number]>

/** One exchange of the journal. */
export type Exchange = Received<ResponseOf<'GET /journal'>['entries'][number]>

/** How a fault can break a connection. */
export type ConnectionFault = NonNullable<Fault['error']>
