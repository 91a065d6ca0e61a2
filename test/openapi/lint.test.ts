import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import SwaggerParser from '@apidevtools/swagger-parser'
import { describe, expect, test } from 'vitest'
import { makeFolder } from '../cli/state-folder.ts'
import { DOCUMENTS, readDocument, runTool } from './documents.ts'

/** Each resolves with what the tool found; `undefined` if it found nothing. `npm run lint` runs Redocly. */
const TOOLS: Readonly<Record<string, (file: string) => Promise<string | undefined>>> = {
  Spectral: async (file) => {
    const args = ['lint', '--ruleset', 'spec/spectral.yaml', '--fail-severity', 'hint', file]
    const { exitCode, output } = await runTool('test/openapi/node_modules/@stoplight/spectral-cli/dist/index.js', args)
    return exitCode === 0 ? undefined : output
  },
  'swagger-parser': (file) =>
    SwaggerParser.validate(file).then(
      () => undefined,
      ({ message }: Error) => message,
    ),
}

describe.each(Object.entries(TOOLS))('%s', (_, findProblems) => {
  test.each([...DOCUMENTS, 'spec/control.openapi.yaml'])('finds nothing in %s', async (file) => {
    expect(await findProblems(file)).toBeUndefined()
  })

  test.each(DOCUMENTS)('finds what is broken in a copy of %s', async (file) => {
    const broken = join(await makeFolder(), 'broken.yaml')
    await writeFile(broken, readDocument(file).replace('in: path', 'in: body'))
    expect(await findProblems(broken)).toEqual(expect.any(String))
  })
})
