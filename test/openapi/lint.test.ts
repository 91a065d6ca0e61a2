import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import SwaggerParser from '@apidevtools/swagger-parser'
import { describe, expect, test } from 'vitest'
import { makeFolder } from '../cli/state-folder.ts'
import { DOCUMENTS, readDocument, runTool } from './documents.ts'

/** Each resolves with what the tool found; `undefined` if it found nothing. */
const TOOLS: Readonly<Record<string, (file: string) => Promise<string | undefined>>> = {
  Redocly: async (file) => {
    const args = ['lint', '--config', 'spec/redocly.yaml', '--format', 'json', file]
    const { exitCode, output } = await runTool('node_modules/@redocly/cli/bin/cli.js', args)
    return exitCode === 0 && /"problems": \[\]/.test(output) ? undefined : output
  },
  Spectral: async (file) => {
    const args = ['lint', '--ruleset', 'spec/spectral.yaml', '--fail-severity', 'hint', file]
    const { exitCode, output } = await runTool('test/openapi/node_modules/@stoplight/spectral-cli/dist/index.js', args)
    return exitCode === 0 ? undefined : output
  },
  'swagger-parser': async (file) => {
    try {
      await SwaggerParser.validate(file)
      return undefined
    } catch (error) {
      return (error as Error).message
    }
  },
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
