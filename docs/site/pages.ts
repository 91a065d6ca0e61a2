import { posix } from 'node:path'

/** A page of the site. */
export interface Page {
  /** The file in the repository. */
  readonly file: string
  /** The name in the sidebar. */
  readonly title: string
}

/** The sidebar: every page by its subject. */
export const GROUPS: readonly { readonly title: string; readonly pages: readonly Page[] }[] = [
  {
    title: 'Start',
    pages: [
      { file: 'README.md', title: 'Overview' },
      { file: 'docs/testing.md', title: 'Testing' },
      { file: 'docs/runners.md', title: 'Test runners and frameworks' },
      { file: 'docs/mutants.md', title: 'Would my tests notice?' },
      { file: 'docs/ci.md', title: 'Continuous integration' },
      { file: 'docs/languages.md', title: 'Other languages' },
      { file: 'docs/migration.md', title: 'Migration' },
      { file: 'docs/troubleshooting.md', title: 'Troubleshooting' },
    ],
  },
  {
    title: 'Guides',
    pages: [
      { file: 'docs/server.md', title: 'The server' },
      { file: 'docs/browser.md', title: 'In the browser' },
      { file: 'docs/browsers.md', title: 'Browsers' },
      { file: 'docs/console.md', title: 'Console and demo' },
      { file: 'docs/mock.md', title: 'The mock' },
      { file: 'docs/check.md', title: 'Checking a service' },
    ],
  },
  {
    title: 'Reference',
    pages: [
      { file: 'docs/reference/api.md', title: 'Package' },
      { file: 'docs/reference/cli.md', title: 'Command line' },
      { file: 'docs/reference/control-api.md', title: 'Control API' },
      { file: 'docs/behaviour.md', title: 'Behaviour' },
      { file: 'docs/security.md', title: 'Security, secrets and limits' },
      { file: 'docs/openapi.md', title: 'The OpenAPI document' },
      { file: 'docs/compatibility.md', title: 'Compatibility' },
      { file: 'docs/speed.md', title: 'Speed' },
    ],
  },
  {
    title: 'Project',
    pages: [
      { file: 'docs/architecture.md', title: 'Architecture' },
      { file: 'docs/decisions/sandbox-by-key.md', title: 'The key picks the sandbox' },
      { file: 'docs/decisions/msw-and-data.md', title: 'msw and @mswjs/data' },
      { file: 'docs/decisions/bundled-dependencies.md', title: 'Bundled dependencies' },
      { file: 'docs/decisions/http-writing.md', title: 'Our own HTTP writing' },
      { file: 'docs/decisions/exact-json.md', title: 'Exact JSON' },
      { file: 'docs/decisions/synchronous-answer.md', title: 'Synchronous answers' },
      { file: 'docs/decisions/one-list-of-rules.md', title: 'One list of rules' },
      { file: 'docs/decisions/one-state-document.md', title: 'One state document' },
      { file: 'docs/decisions/given-up.md', title: 'What was given up' },
      { file: 'CONTRIBUTING.md', title: 'Contributing' },
      { file: 'CHANGELOG.md', title: 'Changelog' },
      { file: 'test/bench/README.md', title: 'The benchmark' },
    ],
  },
]

/** Where a file of the repository is on the site. */
export function toSitePath(file: string): string {
  if (file === 'README.md') return 'index.md'
  if (file === 'test/bench/README.md') return 'benchmark.md'
  return file.replace(/^docs\//, '').toLowerCase()
}

const PAGES = new Set(GROUPS.flatMap(({ pages }) => pages.map(({ file }) => file)))

/** The text of a page with links that work on the site, and the other files of the repository that it links to. */
export function toSitePage(file: string, text: string): { readonly text: string; readonly assets: readonly string[] } {
  const assets: string[] = []
  const toLink = (link: string): string => {
    const [path = '', heading] = link.split('#')
    if (path === '' || /^\w+:/.test(path)) return link
    const target = posix.join(posix.dirname(file), path)
    if (!PAGES.has(target)) {
      assets.push(target)
      return `/${target}`
    }
    const from = posix.dirname(toSitePath(file))
    const relative = posix.relative(from, toSitePath(target))
    return `./${relative}${heading === undefined ? '' : `#${heading}`}`
  }
  const linked = text
    .replaceAll(/\]\(([^)\s]+)\)/g, (_, link: string) => `](${toLink(link)})`)
    .replaceAll(/(src|srcset)="([^"]+)"/g, (_, name: string, link: string) => `${name}="${toLink(link)}"`)
  return { text: linked, assets }
}

/** The anchor of a heading, as on GitHub. */
export function toAnchor(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-')
}
