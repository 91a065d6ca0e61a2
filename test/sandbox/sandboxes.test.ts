import { describe, expect, test } from 'vitest'
import { createMock, type Sandbox } from '../../src/index.ts'
import { SIBLINGS, type Sibling } from '../../src/sandbox/siblings.ts'

describe('the sandboxes of a mock', () => {
  test('find each other by name, with their journals', async () => {
    const mock = createMock()
    const other = mock.sandbox('a')
    await mock.fetch('/v1/inventory', { headers: { authorization: `Bearer ${other.apiKey}` } })
    for (const sandbox of [mock.sandbox('default'), other]) {
      const siblings = listSiblings(sandbox)
      expect(siblings.map(({ name, journal }) => [name, journal.newestId])).toEqual([
        ['default', 0],
        ['a', 1],
      ])
    }
  })
})

function listSiblings(sandbox: Sandbox): Sibling[] {
  const { [SIBLINGS]: list } = sandbox as Sandbox & { readonly [SIBLINGS]?: () => Iterable<Sibling> }
  return Array.from(list?.() ?? [])
}
