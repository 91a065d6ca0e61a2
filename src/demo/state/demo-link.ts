import { suggest } from '../../http/suggest.ts'

const KNOWN = ['fixture', 'sandbox']

/** What a link to the demo asks for, beside the sandbox: `?fixture=low-stock`. */
interface DemoLink {
  /** The name of the fixture to load, which may be unknown. */
  readonly fixture: string | undefined
  /** A parameter that looks misspelt, as a sentence. */
  readonly problem: string | undefined
}

/** Parameters that resemble none of the demo's are ignored, because mail programs and other sites add some to links. */
export function parseDemoLink(parameters: URLSearchParams): DemoLink {
  const fixture = parameters.get('fixture') ?? undefined
  for (const name of parameters.keys()) {
    const advice = KNOWN.includes(name) ? '' : suggest(name, KNOWN)
    if (advice !== '') return { fixture, problem: `Unknown parameter “${name}” in the address of this page.${advice}` }
  }
  return { fixture, problem: undefined }
}

/** Removes the fixture from the page's URL, so that reloading the page keeps later changes. */
export function dropFixture(): void {
  const address = new URL(location.href)
  address.searchParams.delete('fixture')
  history.replaceState(null, '', address)
}
