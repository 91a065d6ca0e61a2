import { render } from 'preact'
import { mountConsole } from '../console/mount-console.tsx'
import { createDemo } from './state/create-demo.ts'
import { DemoBar } from './views/demo-bar.tsx'

const folder = new URL('.', location.href)
const bar = document.getElementById('demo')
const page = document.getElementById('console')

if (bar !== null && page !== null) {
  const demo = createDemo(folder)
  bar.replaceChildren()
  render(<DemoBar demo={demo} console={page} />, bar)
  if (await demo.start()) mountConsole(page, { origin: folder.href, copyAs: 'fetch' })
}
