import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { OPERATIONS } from '../../src/contract/operations.gen.ts'
import { CONNECTION_FAULTS } from '../../src/http/outcome.ts'

const ROOT = resolve(import.meta.dirname, '../..')

describe('spec/openapi.yaml', () => {
  test('lists for each operation the statuses of the specification', async () => {
    const { paths } = parse(await readFile(`${ROOT}/spec/openapi.yaml`, 'utf8')) as {
      paths: Record<string, Record<string, object>>
    }
    expect(Object.entries(paths).map(([path, item]) => [path, Object.keys(item)])).toEqual([
      ['/inventory', ['get']],
      ['/inventory/{petId}', ['patch']],
      ['/pets/{petId}', ['get']],
      ['/store/orders', ['get']],
    ])
    expect(OPERATIONS.map(({ id, statuses }) => [id, statuses])).toEqual([
      ['listInventory', [200, 401]],
      ['updateInventory', [200, 400, 401, 404]],
      ['getPet', [401]],
      ['listOrders', [401]],
    ])
  })
})

describe('a connection fault', () => {
  const places = ['src/http/outcome.ts', 'docs/testing.md', 'docs/browsers.md']

  test.each(CONNECTION_FAULTS.flatMap((kind) => places.map((file) => [kind, file] as const)))(
    '%s is explained in %s',
    async (kind, file) => {
      expect(await readFile(`${ROOT}/${file}`, 'utf8')).toContain(`\`${kind}\``)
    },
  )
})
