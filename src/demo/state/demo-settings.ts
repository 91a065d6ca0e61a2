/** What the demo remembers beside its state, in the browser. One that refuses to keep anything is no error. */
export interface DemoSettings {
  /** Whether the state is to be kept over a reload. */
  isKept: boolean
}

/** @param folder The demo's: there may be others on the same origin. */
export function createDemoSettings(folder: URL): DemoSettings {
  const name = `petstore-mock demo ${folder.pathname} keep`
  return {
    get isKept() {
      try {
        return localStorage.getItem(name) !== 'no'
      } catch {
        return true
      }
    },
    set isKept(isKept) {
      try {
        localStorage.setItem(name, isKept ? 'yes' : 'no')
      } catch {
        // It counts until the page is loaded again.
      }
    },
  }
}
