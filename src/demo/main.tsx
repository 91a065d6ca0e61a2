import { render } from 'preact'
import { DEFAULT_API_KEY } from '../auth/authenticator.ts'
import { mountConsole } from '../console/mount-console.tsx'
import { DEMO_DATA_ID, type DemoData } from '../runtimes/shared/demo-data.ts'
import { createDemo } from './state/create-demo.ts'
import { dropFixture, parseDemoLink } from './state/demo-link.ts'
import { DemoBar } from './views/demo-bar.tsx'

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
    mountConsole(page, { origin: folder.href, copyAs: 'fetch', title, apiKey, keyAdvice, ...link })
  }
}

/** `undefined` in the demo without data of its own. */
function readData(): DemoData | undefined {
  const text = document.getElementById(DEMO_DATA_ID)?.textContent
  return text ? JSON.parse(text) : undefined
}
