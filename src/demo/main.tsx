import { render } from 'preact'
import { DEFAULT_API_KEY } from '../auth/authenticator.ts'
import { mountConsole } from '../console/mount-console.tsx'
import { PLACE_PARAMETERS } from '../console/state/place.ts'
import { suggest } from '../http/quote.ts'
import { DEMO_DATA_ID, type DemoData } from '../runtimes/shared/demo-data.ts'
import { createDemo } from './create-demo.ts'
import { DemoBar } from './demo-bar.tsx'

/** The parameters of the page's URL. */
const KNOWN = ['fixture', ...PLACE_PARAMETERS]

const folder = new URL('.', location.href)
const bar = document.getElementById('demo')
const page = document.getElementById('console')

if (bar !== null && page !== null) {
  const data = readData()
  const demo = createDemo(folder, data)
  bar.replaceChildren()
  render(<DemoBar demo={demo} console={page} />, bar)
  if (await demo.start()) {
    const link = parseDemoLink(new URLSearchParams(location.search))
    if (link.fixture !== undefined && link.problem === undefined) dropFixture()
    const { title, apiKey = DEFAULT_API_KEY } = data ?? {}
    const keyAdvice = `Enter ${apiKey}, the key of this demo.`
    mountConsole(page, { origin: folder.href, copyForms: ['fetch', 'test'], title, apiKey, keyAdvice, ...link })
  }
}

/** `undefined` in the demo without data of its own. */
function readData(): DemoData | undefined {
  const text = document.getElementById(DEMO_DATA_ID)?.textContent
  return text ? JSON.parse(text) : undefined
}

/**
 * What a link asks for beside the place: the name of a fixture, which may be unknown, and a problem, as a sentence.
 * Parameters that resemble none of the demo's are ignored, because mail programs and other sites add some to links.
 */
function parseDemoLink(parameters: URLSearchParams) {
  const fixture = parameters.get('fixture') ?? undefined
  for (const name of parameters.keys()) {
    const advice = KNOWN.includes(name) ? '' : suggest(name, KNOWN)
    if (advice !== '') return { fixture, problem: `Unknown parameter “${name}” in the address of this page.${advice}` }
  }
  return { fixture, problem: undefined }
}

/** Removes the fixture from the page's URL, so that reloading the page keeps later changes. */
function dropFixture(): void {
  const address = new URL(location.href)
  address.searchParams.delete('fixture')
  history.replaceState(null, '', address)
}
