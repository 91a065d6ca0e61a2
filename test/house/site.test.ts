import { existsSync, globSync, readFileSync } from 'node:fs'
import { posix, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { GROUPS, toSitePage, toSitePath } from '../../docs/site/pages.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const files = GROUPS.flatMap(({ pages }) => pages.map(({ file }) => file))

describe('the site', () => {
  test('has every page of the documentation', () => {
    const pages = globSync(['docs/*.md', 'docs/reference/*.md'], { cwd: ROOT }).map((file) =>
      file.replaceAll('\\', '/'),
    )
    expect(pages.filter((page) => !files.includes(page))).toEqual([])
  })

  test.each(files)('%s has links to pages of the site, and to files of the repository', (file) => {
    const paths = new Set(files.map(toSitePath))
    const { text, assets } = toSitePage(file, readFileSync(resolve(ROOT, file), 'utf8'))
    const links = Array.from(text.matchAll(/\]\((\.\/[^)#\s]+)/g), ([, link = '']) =>
      posix.join(posix.dirname(toSitePath(file)), link),
    )
    expect(links.filter((link) => !paths.has(link))).toEqual([])
    expect(assets.filter((asset) => !existsSync(resolve(ROOT, asset)))).toEqual([])
  })

  test('keeps addresses of other sites and anchors as they are', () => {
    const text = '[a](https://a.example/docs/b.md#c) [b](#here) [c](docs/mock.md#stubs) <img src="docs/pictures/x.png">'
    expect(toSitePage('README.md', text)).toEqual({
      text: '[a](https://a.example/docs/b.md#c) [b](#here) [c](./mock.md#stubs) <img src="/docs/pictures/x.png">',
      assets: ['docs/pictures/x.png'],
    })
  })
})
