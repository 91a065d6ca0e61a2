import type { ControlSchemas } from '../../contract/control-types.ts'

/**
 * A value of the control API as the console has it: read-only, and each `petId` as the digits that were written, since it
 * is an int64 and may be beyond what a number holds.
 */
export type Received<T> = T extends object
  ? { readonly [Name in keyof T]: Name extends 'petId' ? Extract<T[Name], undefined> | string : Received<T[Name]> }
  : T

export type Pet = Received<ControlSchemas['InventoryItem']>

export type Health = Received<ControlSchemas['Health']>

export type FixtureSummary = Received<ControlSchemas['ShippedFixture']>

export type SandboxSummary = Received<ControlSchemas['SandboxSummary']>

/** Milliseconds, fixed or a range. */
export type Latency = Received<ControlSchemas['DelayInput']>

/** `null` where the mock's own latency counts. */
export type Delay = Received<ControlSchemas['DelaySetting']>['delay']

/** A fault that is active. */
export type Fault = Received<ControlSchemas['ActiveFault']>

/** One exchange of the journal. */
export type Exchange = Received<ControlSchemas['JournalEntry']>

/** How a fault can break a connection. */
export type ConnectionFault = ControlSchemas['ConnectionFault']

export type OperationId = ControlSchemas['OperationId']
