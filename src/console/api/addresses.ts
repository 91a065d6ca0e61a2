/** The URLs of the control API and the service. */
export interface Addresses {
  /** A route of the control API, with its query. */
  toControl(path: string, query?: Readonly<Record<string, string>>): URL
  /** The URL of a path, as the mock receives it and the journal shows it. */
  toService(path: string): URL
}

/** @param root The URL that `_mock/` and the service's base path are relative to. */
export function createAddresses(root: URL): Addresses {
  return {
    toControl(path, query = {}) {
      const url = new URL(`_mock${path}`, root)
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
      return url
    },
    // The dot keeps a path that looks like a URL, `/https://elsewhere.example`, below the root.
    toService: (path) => new URL(`./${path.slice(1)}`, root),
  }
}
