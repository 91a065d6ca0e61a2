import { isLoopback } from '../../http/is-loopback.ts'
import { DEFAULT_SANDBOX } from '../api/model.ts'
import { type ConsoleState, countFaults, type Store } from './console-state.ts'
import { toCount } from './to-count.ts'

/** What a link to the page shows: `?sandbox=checkout-7&find=4xx&request=12`. */
export function readPlace(search = location.search): Pick<ConsoleState, 'sandbox' | 'find' | 'opened'> {
  const parameters = new URLSearchParams(search)
  const request = parameters.get('request') ?? ''
  return {
    sandbox: parameters.get('sandbox') ?? DEFAULT_SANDBOX,
    find: parameters.get('find') ?? '',
    opened: /^\d{1,15}$/.test(request) ? Number(request) : undefined,
  }
}

/**
 * Keeps the page's URL and title up to date, so that users can bookmark, share and find what they see. Another sandbox is
 * another entry of the history, and Back returns to the one before.
 * @returns A function that stops it.
 */
export function keepPlace(
  store: Store<ConsoleState>,
  { title, open }: { readonly title: string; readonly open: (sandbox: string) => void },
): () => void {
  let { sandbox: shown } = store.state
  function write(): void {
    const { sandbox, find, opened } = store.state
    const count = countFaults(store.state)
    const parts = [count === 0 ? [] : toCount(count, 'fault'), sandbox === DEFAULT_SANDBOX ? [] : sandbox, title]
    document.title = parts.flat().join(' · ')
    const address = new URL(location.href)
    const values = { sandbox: sandbox === DEFAULT_SANDBOX ? '' : sandbox, find, request: String(opened ?? '') }
    for (const [name, value] of Object.entries(values)) {
      address.searchParams.delete(name)
      if (value !== '') address.searchParams.set(name, value)
    }
    if (address.href !== location.href) history[sandbox === shown ? 'replaceState' : 'pushState'](null, '', address)
    shown = sandbox
  }
  function goBack(): void {
    const place = readPlace()
    const { sandbox, find, opened } = store.state
    // A link to a part of the page is a step of the history, too.
    if (place.sandbox === sandbox && place.find === find && place.opened === opened) return
    shown = place.sandbox
    store.set({ find: place.find, opened: place.opened })
    open(place.sandbox)
  }
  write()
  addEventListener('popstate', goBack)
  const unsubscribe = store.subscribe(write)
  return () => {
    removeEventListener('popstate', goBack)
    unsubscribe()
  }
}

/** What follows the words "Link copied", where nobody else can open the page. */
export function explainLink(): string {
  return isLoopback(location.hostname) ? ', for this machine only' : ''
}

/** Kept until the tab closes. */
type SettingName = 'key' | 'token' | 'place' | 'faults'

const PREFIX = 'petstore-mock.'

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
