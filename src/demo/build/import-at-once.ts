import type { Plugin } from 'rolldown'

/**
 * Loads with the page what it loads later: by then, a newer build may have taken the file away. The documents of the
 * two APIs, which the page itself never asks for, stay apart.
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
