/** What a demo of one's own shows. It is part of the page, so every visitor can read it. */
export interface DemoData {
  /** Instead of `petstore-mock`. */
  readonly title?: string | undefined
  readonly apiKey: string
  /** Differs between fixtures of any content. */
  readonly id: string
  /** By name, the seed first. A fixture is JSON text, which keeps all digits of large ids. */
  readonly fixtures: Readonly<Record<string, string>>
  readonly names?: DemoNames | undefined
}

/** What the shop calls its pets, and what they cost, by petId. */
export type DemoNames = Readonly<Record<string, DemoName>>

export interface DemoName {
  readonly name: string
  /** Shown as it is, with its currency: `$12`. */
  readonly price?: string | undefined
}

/** The id of the element that has the data as JSON. */
export const DEMO_DATA_ID = 'demo-data'
