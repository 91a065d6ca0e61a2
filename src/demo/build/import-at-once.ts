import type { Plugin } from 'rolldown'

/**
 * Imports dynamic chunks when the page loads, because a newer build may have removed them later. The OpenAPI documents
 * stay dynamic, because the page never requests them.
 */
export function importAtOnce(): Plugin {
  return {
    name: 'import-at-once',
    transform(code, id) {
      if (!/\/src\/.*\.ts$/.test(id)) return undefined
      const imports: string[] = []
      const changed = code.replaceAll(/\bimport\(('[^']+(?<!\.gen\.ts)')\)/g, (_call, specifier: string) => {
        const name = `late${imports.length}`
        imports.push(`import * as ${name} from ${specifier}\n`)
        return `Promise.resolve(${name})`
      })
      return imports.length === 0 ? undefined : imports.join('') + changed
    },
  }
}
