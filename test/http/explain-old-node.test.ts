import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { explainOldNode } from '../../src/http/explain-old-node.ts'

describe('explainOldNode', () => {
  test.each(['18.20.8', '20.20.2', '21.7.3', '22.11.0'])('%s is too old, and it says what to do', (version) => {
    expect(explainOldNode(version)).toBe(
      `petstore-mock needs Node 22.12 or newer, but this is Node ${version}. Install a newer version: https://nodejs.org`,
    )
  })

  test.each(['22.12.0', '22.20.1', '24.0.0', '26.1.0'])('%s will do', (version) => {
    expect(explainOldNode(version)).toBeUndefined()
  })

  test('the oldest is that of package.json', async () => {
    const manifest = await readFile(new URL('../../package.json', import.meta.url), 'utf8')
    const { engines } = JSON.parse(manifest) as { engines: { node: string } }
    expect(explainOldNode('0.0.0')).toContain(`Node ${engines.node.replace('>=', '')} or newer`)
  })
})
