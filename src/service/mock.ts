import type { Clock } from '../sandbox/clock.ts'
import type { InventoryChange } from '../sandbox/events.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { FixtureSource } from '../store/seed.ts'

/** A stateful mock of the petstore's inventory service. Its own controls are those of its default sandbox. */
export interface Mock extends Sandbox {
  /** The whole service as a function with the signature of `fetch`. It does not use the network. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
  /** The time that delays and journal entries use. */
  readonly clock: Clock
  /**
   * Controls one sandbox, which is created on first use.
   * @throws {MockError} `INVALID_SANDBOX` unless the name is 1 to 64 letters, digits, dots, underscores and hyphens.
   */
  sandbox(name: string): Sandbox
  /**
   * Serializes the pets of all sandboxes as one JSON document: the seed once, and the changes of each sandbox. The file of
   * `serve --state` and the state that a page stores hold the same. Meant for up to 100 MB.
   */
  exportState(): string
  /**
   * Restores the states from `exportState()`; sandboxes that it does not have start from the mock's seed. `reset()` still
   * restores the mock's seed.
   * @param origin The name of the text in messages, such as its file name.
   * @throws {FixtureError} when the text is invalid. All states are then unchanged.
   */
  importState(text: string, origin?: string): void
  /**
   * Calls `listener` synchronously for every change of a sandbox's inventory. Returns a function that unsubscribes.
   * @example
   * const stop = mock.onChange(({ sandbox, type }) => console.log(sandbox, type))
   */
  onChange(listener: (change: InventoryChange) => void): () => void
  /**
   * Replaces the seed and resets every sandbox to it.
   * @throws {FixtureError} when the fixture is invalid. Nothing is then changed.
   */
  reseed(fixture: FixtureSource, name?: string): void
}
