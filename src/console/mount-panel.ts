import { keepFaults, type LocalSandboxes } from './keep-faults.ts'
import { readSetting, writeSetting } from './state/place.ts'
import { toCount } from './state/to-count.ts'

interface PanelOptions {
  fetch(request: Request): Promise<Response>
  /** The origin of the service. */
  readonly origin: string
  readonly apiKey: string
  /** Of a mock in this page. */
  readonly sandboxes?: LocalSandboxes | undefined
}

/** Set by the build: the console's styles. */
declare const PANEL_STYLES: string

/** In a page, so that a reloaded module replaces the panel of the one before. */
const MOUNTED = Symbol.for('petstore-mock.panel')

/**
 * The size of the panel, and the place of its tab on the right edge, in shares of the window. The tab starts where pages
 * have nothing: in the corners are chats, cookie banners and the tools of frameworks.
 */
const START = { isOpen: false, isRight: false, size: 0.5, tab: 0.4 }

/** How far an arrow key moves something towards the right lower corner. */
const ARROWS: Readonly<Record<string, number>> = { ArrowUp: -0.04, ArrowLeft: -0.04, ArrowRight: 0.04, ArrowDown: 0.04 }

/**
 * Adds a tab to the page's edge, which opens the console below or beside the page. The console is loaded when it is first
 * opened. A mock in this page has the faults that were set in the panel before a reload once this returns.
 * @returns A function that removes both.
 */
export function mountPanel({ sandboxes, ...options }: PanelOptions): () => void {
  const page: { [MOUNTED]?: (() => void) | undefined } = document as object
  page[MOUNTED]?.()
  const host = document.createElement('petstore-mock-panel')
  const shadow = host.attachShadow({ mode: 'open' })
  shadow.adoptedStyleSheets = [new CSSStyleSheet()]
  const root = Object.assign(document.createElement('section'), { className: 'in-page', ariaLabel: 'petstore-mock' })
  const tab = Object.assign(document.createElement('button'), { className: 'panel-tab', textContent: 'petstore-mock' })
  const edge = Object.assign(document.createElement('div'), { className: 'panel-edge', role: 'separator', tabIndex: 0 })
  const bar = Object.assign(document.createElement('div'), { className: 'tools panel-bar' })
  const dock = Object.assign(document.createElement('button'), { className: 'small panel-dock' })
  const close = Object.assign(document.createElement('button'), { className: 'small', textContent: 'Close' })
  const content = Object.assign(document.createElement('div'), { className: 'panel-content', textContent: 'Loading…' })
  edge.ariaLabel = 'Size'
  bar.append(dock, close)
  root.append(tab, edge, bar, content)
  shadow.append(root)
  document.documentElement.append(host)
  applyStyles(shadow)

  let unmount: (() => void) | undefined
  let place: typeof START = { ...START, ...JSON.parse(readSetting('place') ?? '{}') }
  const faults =
    sandboxes &&
    keepFaults(sandboxes, (count) => {
      tab.textContent = ['petstore-mock', ...(count === 0 ? [] : [toCount(count, 'fault')])].join(' · ')
      tab.classList.toggle('panel-tab-warn', count > 0)
    })

  async function load(): Promise<void> {
    unmount = () => {}
    try {
      const { mountConsole } = await import('./mount-console.tsx')
      if (!host.isConnected) return
      content.textContent = ''
      const fetch = async (url: URL, init: RequestInit): Promise<Response> => {
        const response = await options.fetch(new Request(url, init))
        await faults?.note(url, init.method, response)
        return response
      }
      unmount = mountConsole(content, {
        ...options,
        fetch,
        root,
        copyForms: ['fetch', 'test'],
        keepsFaults: faults !== undefined,
      })
    } catch (error) {
      unmount = undefined
      content.textContent = `The console cannot be loaded: ${error instanceof Error ? error.message : String(error)}`
    }
  }

  function show(change: Partial<typeof START>): void {
    const { size, tab: top, ...rest } = { ...place, ...change }
    place = { ...rest, size: Math.max(0.2, Math.min(size, 1)), tab: Math.max(0, Math.min(top, 1)) }
    writeSetting('place', JSON.stringify(place))
    root.classList.toggle('in-page-open', place.isOpen)
    root.classList.toggle('in-page-right', place.isRight)
    root.style.setProperty('--size', String(place.size))
    root.style.setProperty('--tab', String(place.tab))
    dock.textContent = place.isRight ? 'Dock below' : 'Dock right'
    tab.ariaExpanded = String(place.isOpen)
    edge.ariaValueNow = String(Math.round(place.size * 100))
    if (place.isOpen && unmount === undefined) void load()
  }

  function leave(): void {
    show({ isOpen: false })
    tab.focus()
  }

  function press(event: KeyboardEvent): void {
    // The page's own keys are for the page.
    event.stopPropagation()
    if (event.type !== 'keydown' || event.defaultPrevented) return
    const step = ARROWS[event.key]
    if (step !== undefined && (event.target === edge || event.target === tab)) {
      event.preventDefault()
      show(event.target === tab ? { tab: place.tab + step } : { size: place.size - step })
    }
    const isSearched = shadow.querySelector('[type="search"]:focus:not(:placeholder-shown)') !== null
    if (event.key === 'Escape' && place.isOpen && !isSearched) leave()
  }

  for (const type of ['keydown', 'keyup', 'keypress'] as const) root.addEventListener(type, press)
  onDrag(edge, ({ clientX, clientY }) => {
    show({ size: 1 - (isBeside(root) ? clientX / innerWidth : clientY / innerHeight) })
  })
  onDrag(tab, ({ clientY }) => show({ tab: clientY / innerHeight }))
  tab.addEventListener('click', () => show({ isOpen: true }))
  dock.addEventListener('click', () => show({ isRight: !place.isRight }))
  close.addEventListener('click', leave)
  const giveRoomBack = makeRoom(root)
  show({})

  const remove = (): void => {
    if (page[MOUNTED] !== remove) return
    page[MOUNTED] = undefined
    faults?.stop()
    giveRoomBack()
    unmount?.()
    host.remove()
  }
  page[MOUNTED] = remove
  return remove
}

/** Whether the panel is beside the page. In a narrow window, it is below. */
function isBeside(root: HTMLElement): boolean {
  return root.getBoundingClientRect().left > 0
}

/** Makes the page longer, or narrower, by the size of the panel, so that none of it is out of reach. */
function makeRoom(root: HTMLElement): () => void {
  const sheet = new CSSStyleSheet()
  const observer = new ResizeObserver(() => {
    const { offsetWidth, offsetHeight } = root
    const room = isBeside(root) ? `right: ${offsetWidth}px` : `bottom: ${offsetHeight}px`
    const rule = `:root { box-sizing: border-box !important; padding-${room} !important; scroll-padding-${room} !important; }`
    sheet.replaceSync(offsetHeight === 0 ? '' : rule)
  })
  observer.observe(root)
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  return () => {
    observer.disconnect()
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet)
  }
}

/** A press that moves by a few pixels stays a click. */
function onDrag(element: HTMLElement, move: (event: PointerEvent) => void): void {
  let way = 0
  element.addEventListener('pointerdown', ({ pointerId }) => {
    way = 0
    element.setPointerCapture(pointerId)
  })
  element.addEventListener('pointermove', (event) => {
    if (!element.hasPointerCapture(event.pointerId)) return
    way += Math.abs(event.movementX) + Math.abs(event.movementY)
    if (way > 5) move(event)
  })
  element.addEventListener('click', (event) => way > 5 && event.stopImmediatePropagation())
}

/** The size of the root's font is the page's. That of the user is `medium`, which only styles that are applied can tell. */
function applyStyles({ host, adoptedStyleSheets: [sheet] }: ShadowRoot): void {
  const isolate = ':host { all: initial !important; direction: ltr !important; }'
  sheet?.replaceSync(isolate)
  const size = Number.parseFloat(getComputedStyle(host).fontSize)
  sheet?.replaceSync(isolate + PANEL_STYLES.replaceAll(/([\d.]{1,9})rem\b/g, (_, length) => `${length * size}px`))
}
