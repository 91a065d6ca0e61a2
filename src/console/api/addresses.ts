/** Where the control API and the service lie. */
export interface Addresses {
  /** A route of the control API, with its query. */
  toControl(path: string, query?: Readonly<Record<string, string>>): URL
  /** A path as the mock sees it and the journal has it. */
  toService(path: string): URL
}

/** @param root What `_mock/` and the service's base path lie below. */
export function createAddresses(root: URL): Addresses {
  return {
    toControl(path, query = {}) {
      const url = new URL(`_mock${path}`, root)
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
      return url
    },
    // The dot keeps a path that looks like an address, `/https://elsewhere.example`, below the root.
    toService: (path) => new URL(`./${path.slice(1)}`, root),
  }
}
