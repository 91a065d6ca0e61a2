/** Keys and tokens are kept until the tab closes, the theme permanently. */
const PLACES = { key: 'sessionStorage', token: 'sessionStorage', theme: 'localStorage' } as const
type SettingName = keyof typeof PLACES

const PREFIX = 'stockroom.'

export function readSetting(name: SettingName): string | undefined {
  return attempt(() => globalThis[PLACES[name]].getItem(PREFIX + name) ?? undefined)
}

export function writeSetting(name: SettingName, value: string): void {
  attempt(() => globalThis[PLACES[name]].setItem(PREFIX + name, value))
}

/** Browsers may block storage. A setting then lasts until the page reloads. */
export function attempt<T>(use: () => T): T | undefined {
  try {
    return use()
  } catch {
    return undefined
  }
}
