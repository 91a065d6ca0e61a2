import { createHash } from 'node:crypto'
import { glob, readFile } from 'node:fs/promises'
import { build, type Plugin } from 'rolldown'

/** Writes the demo's other files beside its scripts. The worker contains the list of all files. */
export function writeDemo(folder: string, { workerPlugins }: { workerPlugins: Plugin[] }): Plugin {
  return {
    name: 'write-demo',
    async generateBundle(_options, bundle) {
      const emit = (fileName: string, source: string) => this.emitFile({ type: 'asset', fileName, source })
      const read = (name: string) => readFile(`${folder}/${name}`, 'utf8')
      const css = `${await joinSheets('src/console')}\n${await read('demo.css')}`
      const icon = await read('../console/icon.svg')
      const sheet = `demo-${toHash(css)}.css`
      const files = [...Object.keys(bundle), sheet, 'icon.svg']
      const html = (await read('index.html')).replaceAll(/"(\w+)\.(js|css)"/g, (_name, name: string, type: string) => {
        return `"${files.find((file) => file.startsWith(`${name}-`) && file.endsWith(type))}"`
      })
      emit(sheet, css)
      emit('icon.svg', icon)
      emit('index.html', html)
      const hash = toHash(html + icon + files.join())
      const { output } = await build({
        input: `${folder}/worker/worker.ts`,
        plugins: workerPlugins,
        tsconfig: `${folder}/worker/tsconfig.json`,
        transform: { define: { DEMO_FILES: JSON.stringify(['', ...files]), DEMO_BUILD: JSON.stringify(hash) } },
        output: { format: 'iife' },
        write: false,
      })
      // The demo's own listeners come first: the first one that responds to a request wins.
      const msw = await readFile(new URL(import.meta.resolve('msw/mockServiceWorker.js')), 'utf8')
      emit('worker.js', `${output[0].code}\n${msw}`)
    },
  }
}

function toHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 8)
}

/** Concatenates the style sheets of a page's folder, ordered by name. */
export async function joinSheets(folder: string): Promise<string> {
  const sheets = await Array.fromAsync(glob(`${folder}/styles/*.css`))
  return (await Promise.all(sheets.sort().map((sheet) => readFile(sheet, 'utf8')))).join('\n')
}
