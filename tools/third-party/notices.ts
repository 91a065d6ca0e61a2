import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface BundledPackage {
  readonly name: string
  readonly version: string
  /** The SPDX expression of its manifest. */
  readonly license: string
  /** The licence as a text. */
  readonly text: string
}

/** Texts for packages that are published without one: `NAME.txt`. */
const OWN_TEXTS = fileURLToPath(new URL('licences', import.meta.url))
const RULE = '-'.repeat(80)

/** Reads the name, version and licence texts of an installed package. Throws if it has no licence text. */
export async function readPackage(folder: string, { ownTexts = OWN_TEXTS } = {}): Promise<BundledPackage> {
  const {
    name = '',
    version = '',
    license = '',
  }: Partial<BundledPackage> = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const files = (await readdir(folder)).filter((file) => /^(licen[cs]e|copying|notice)s?\b/i.test(file)).sort()
  const texts = files.map((file) => join(folder, file))
  if (texts.length === 0) texts.push(join(ownTexts, `${name.replace('/', '+')}.txt`))
  const [text] = await Promise.allSettled([Promise.all(texts.map((file) => readFile(file, 'utf8')))])
  if (text.status === 'rejected' || license === '') {
    throw new Error(
      `Failed to write the licences: ${name} ${version} is bundled, and its package has no licence text. Add the text as tools/third-party/licences/${name.replace('/', '+')}.txt.`,
    )
  }
  return { name, version, license, text: text.value.map((each) => each.trim()).join('\n\n') }
}

/** The content of `THIRD-PARTY-LICENSES.txt`. A package that is bundled twice in one version is named once. */
export function toNotices(packages: readonly BundledPackage[]): string {
  const sections = packages.map((each) => `${each.name} ${each.version} (${each.license})\n\n${each.text}\n`)
  return [...new Set(sections)].sort().join(`\n${RULE}\n\n`)
}

/** Reads what {@link toNotices} wrote. */
export function parseNotices(notices: string): BundledPackage[] {
  return notices.split(`\n${RULE}\n\n`).map((section) => {
    const [, name = '', version = '', license = '', text = ''] =
      /^(\S+) (\S+) \((.+)\)\n\n([\s\S]*)\n$/.exec(section) ?? []
    return { name, version, license, text }
  })
}
