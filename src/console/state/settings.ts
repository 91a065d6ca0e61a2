/** Settings that persist between visits. They are silently not stored if the browser blocks storage. */
export interface Settings {
  read(name: SettingName): string | undefined
  write(name: SettingName, value: string): void
}

/** Keys and tokens are kept until the tab closes, the theme permanently. */
const PLACES = { key: 'sessionStorage', token: 'sessionStorage', theme: 'localStorage' } as const
type SettingName = keyof typeof PLACES

const PREFIX = 'stockroom.'

export function createSettings(): Settings {
  return {
    read: (name) => attempt(() => globalThis[PLACES[name]].getItem(PREFIX + name) ?? undefined),
    write: (name, value) => attempt(() => globalThis[PLACES[name]].setItem(PREFIX + name, value)),
  }
}

function attempt<T>(use: () => T): T | undefined {
  try {
    return use()
  } catch {
    return undefined
  }
}
