import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { OPERATIONS } from '../../src/contract/operations.gen.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)

describe('spec/openapi.yaml', () => {
  test('is what the generated files were made from', async () => {
    await expect(run(process.execPath, ['spec/generate.ts', '--check'], { cwd: ROOT })).resolves.toBeDefined()
  })

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
