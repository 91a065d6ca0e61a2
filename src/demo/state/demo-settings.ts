/** The demo's settings, kept in the browser. They are silently not stored if the browser blocks storage. */
interface DemoSettings {
  /** Whether the state survives a reload. */
  isKept: boolean
}

/** @param folder The demo's folder, because an origin can host several demos. */
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
        // The setting then lasts until the page reloads.
      }
    },
  }
}
