// Writes the documentation as a static site to docs/site/dist: `npm ci --prefix docs/site`, then `npx node docs/site/build.ts`.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { GROUPS, toSitePage, toSitePath } from './pages.ts'

const HERE = import.meta.dirname
const ROOT = resolve(HERE, '../..')
const VITEPRESS = join(HERE, 'node_modules/vitepress/bin/vitepress.js')

if (!existsSync(VITEPRESS)) {
  console.error('VitePress is not installed. Run: npm ci --prefix docs/site')
  process.exit(2)
}

const folder = join(HERE, '.pages')
await rm(folder, { recursive: true, force: true })
for (const { file } of GROUPS.flatMap(({ pages }) => pages)) {
  const { text, assets } = toSitePage(file, await readFile(join(ROOT, file), 'utf8'))
  await write(join(folder, toSitePath(file)), text)
  for (const asset of assets) await cp(join(ROOT, asset), join(folder, 'public', asset), { recursive: true })
}

const build = spawn(process.execPath, [VITEPRESS, 'build', HERE], { stdio: 'inherit' })
const [code] = (await once(build, 'exit')) as [number | null]
process.exitCode = code ?? 1

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}
