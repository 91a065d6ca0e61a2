/** What a demo of one's own shows. It is part of the page, so every visitor can read it. */
export interface DemoData {
  /** Instead of `Stockroom`. */
  readonly title?: string | undefined
  readonly apiKey: string
  /** Differs between fixtures of any content. */
  readonly id: string
  /** The seed and others to load, with the number of pets. A fixture is JSON text, which keeps all digits of large ids. */
  readonly fixtures: readonly { readonly name: string; readonly pets: number; readonly fixture: string }[]
}

/** The id of the element that has the data as JSON. */
export const DEMO_DATA_ID = 'demo-data'
