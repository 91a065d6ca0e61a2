import { readSetting, writeSetting } from './state/place.ts'

/** The mock, the origin of its service, and its key. */
type PanelOptions = { fetch(request: Request): Promise<Response>; readonly origin: string; readonly apiKey: string }

/** Set by the build: the console's styles. */
declare const PANEL_STYLES: string

/** In a page, so that a reloaded module replaces the panel of the one before. */
const MOUNTED = Symbol.for('petstore-mock.panel')

/** How far an arrow key moves the edge, in CSS pixels. The panel is at least five times as high. */
const STEP = 32

/**
 * Adds a button to the page's edge, which opens the console below the page. The console is loaded when it is first opened.
 * @returns A function that removes both.
 */
export function mountPanel(options: PanelOptions): () => void {
  const page: { [MOUNTED]?: (() => void) | undefined } = document as object
  page[MOUNTED]?.()
  const host = document.createElement('petstore-mock-panel')
  const shadow = host.attachShadow({ mode: 'open' })
  shadow.adoptedStyleSheets = [new CSSStyleSheet()]
  const root = Object.assign(document.createElement('section'), { className: 'in-page', ariaLabel: 'petstore-mock' })
  const toggle = Object.assign(document.createElement('button'), { className: 'panel-toggle', textContent: 'Mock' })
  const edge = Object.assign(document.createElement('div'), { className: 'panel-edge', role: 'separator', tabIndex: 0 })
  const content = Object.assign(document.createElement('div'), { className: 'panel-content', textContent: 'Loading…' })
  edge.ariaLabel = 'Height'
  root.append(toggle, edge, content)
  shadow.append(root)
  document.documentElement.append(host)
  applyStyles(shadow)

  let unmount: (() => void) | undefined
  let isOpen = false
  let height = Number(readSetting('panel')?.split(' ')[1]) || innerHeight * 0.6

  async function load(): Promise<void> {
    unmount = () => {}
    try {
      const { mountConsole } = await import('./mount-console.tsx')
      if (!host.isConnected) return
      content.textContent = ''
      const fetch = (url: URL, init: RequestInit) => options.fetch(new Request(url, init))
      unmount = mountConsole(content, { ...options, fetch, root, copyForms: ['fetch', 'test'] })
    } catch (error) {
      unmount = undefined
      content.textContent = `The console cannot be loaded: ${error instanceof Error ? error.message : String(error)}`
    }
  }

  function show(nextOpen: boolean, nextHeight = height): void {
    isOpen = nextOpen
    height = Math.round(Math.max(5 * STEP, Math.min(nextHeight, innerHeight)))
    root.classList.toggle('in-page-open', isOpen)
    root.style.setProperty('--height', `${height}px`)
    toggle.ariaExpanded = String(isOpen)
    edge.ariaValueNow = String(Math.round((height / innerHeight) * 100))
    writeSetting('panel', `${isOpen ? 'open' : 'closed'} ${height}`)
    if (isOpen && unmount === undefined) void load()
  }

  function press(event: KeyboardEvent): void {
    // The page's own keys are for the page.
    event.stopPropagation()
    if (event.type !== 'keydown' || event.defaultPrevented) return
    const up = { ArrowUp: STEP, ArrowDown: -STEP }[event.key]
    if (up !== undefined && event.target === edge) {
      event.preventDefault()
      show(true, height + up)
    }
    const isInUse = shadow.querySelector('[type="search"]:focus:not(:placeholder-shown)') !== null
    if (event.key !== 'Escape' || isInUse) return
    show(false)
    toggle.focus()
  }

  toggle.addEventListener('click', () => show(!isOpen))
  for (const type of ['keydown', 'keyup', 'keypress'] as const) root.addEventListener(type, press)
  edge.addEventListener('pointerdown', ({ pointerId }) => edge.setPointerCapture(pointerId))
  edge.addEventListener('pointermove', ({ pointerId, clientY }) => {
    if (edge.hasPointerCapture(pointerId)) show(true, innerHeight - clientY)
  })
  show(readSetting('panel')?.startsWith('open') === true)

  const remove = (): void => {
    unmount?.()
    host.remove()
  }
  page[MOUNTED] = remove
  return remove
}

/** The size of the root's font is the page's. That of the user is `medium`, which only styles that are applied can tell. */
function applyStyles({ host, adoptedStyleSheets: [sheet] }: ShadowRoot): void {
  const isolate = ':host { all: initial !important; direction: ltr !important; }'
  sheet?.replaceSync(isolate)
  const size = Number.parseFloat(getComputedStyle(host).fontSize)
  sheet?.replaceSync(isolate + PANEL_STYLES.replaceAll(/([\d.]{1,9})rem\b/g, (_, length) => `${length * size}px`))
}
