import type { ControlSchemas } from '../../contract/control-types.ts'

/**
 * A value of the control API in the console: read-only, and with each `petId` as a string of digits, because an int64 may
 * not fit into a number.
 */
export type Received<T> = T extends object
  ? { readonly [Name in keyof T]: Name extends 'petId' ? Extract<T[Name], undefined> | string : Received<T[Name]> }
  : T

export type Pet = Received<ControlSchemas['InventoryItem']>

export type Health = Received<ControlSchemas['Health']>

export type FixtureSummary = Received<ControlSchemas['FixtureSummary']>

export type SandboxSummary = Received<ControlSchemas['SandboxSummary']>

/** Milliseconds, fixed or a range. */
export type Latency = Received<ControlSchemas['DelayInput']>

/** `null` if the mock's own latency applies. */
export type Delay = Received<ControlSchemas['DelaySetting']>['delay']

/** A fault that is active. */
export type Fault = Received<ControlSchemas['ActiveFault']>

/** One exchange of the journal. */
export type Exchange = Received<ControlSchemas['JournalEntry']>

/** How a fault can break a connection. */
export type ConnectionFault = ControlSchemas['ConnectionFault']
