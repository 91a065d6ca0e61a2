/** The theme is kept, all others until the tab closes. */
type SettingName = 'key' | 'token' | 'panel' | 'theme'

const toStorage = (name: SettingName): Storage => (name === 'theme' ? localStorage : sessionStorage)

const PREFIX = 'stockroom.'

export function readSetting(name: SettingName): string | undefined {
  return attempt(() => toStorage(name).getItem(PREFIX + name) ?? undefined)
}

export function writeSetting(name: SettingName, value: string): void {
  attempt(() => toStorage(name).setItem(PREFIX + name, value))
}

/** Browsers may block storage. A setting then lasts until the page reloads. */
export function attempt<T>(use: () => T): T | undefined {
  try {
    return use()
  } catch {
    return undefined
  }
}
