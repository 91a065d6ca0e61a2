import { expect, test } from 'vitest'
import { readDocument } from './documents.ts'

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

/** Packages that the tools need beside them. */
const NOT_SHOWN = ['express', 'typescript']

test('docs/openapi.md names the versions that are tried', () => {
  const page = readDocument('docs/openapi.md')
  const { dependencies } = readManifest('test/openapi/package.json')
  const tried = Object.entries(dependencies)
    .filter(([name]) => !NOT_SHOWN.includes(name))
    .map(([name, version]) => `${name === '@stoplight/spectral-cli' ? 'Spectral' : name} ${version}`)
  const redocly = `Redocly ${readManifest('package.json').devDependencies['@redocly/cli']}`
  expect([...tried, redocly].filter((tool) => !page.includes(tool))).toEqual([])
})

function readManifest(file: string): Manifest {
  return JSON.parse(readDocument(file)) as Manifest
}
