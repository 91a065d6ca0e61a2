/** Kept until the tab closes. */
type SettingName = 'key' | 'token' | 'panel'

const PREFIX = 'stockroom.'

export function readSetting(name: SettingName): string | undefined {
  return attempt(() => sessionStorage.getItem(PREFIX + name) ?? undefined)
}

export function writeSetting(name: SettingName, value: string): void {
  attempt(() => sessionStorage.setItem(PREFIX + name, value))
}

/** Browsers may block storage. A setting then lasts until the page reloads. */
function attempt<T>(use: () => T): T | undefined {
  try {
    return use()
  } catch {
    return undefined
  }
}
