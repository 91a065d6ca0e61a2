import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { OPERATIONS } from '../../src/contract/operations.gen.ts'
import { ERROR_STATUSES } from '../../src/http/error-response.ts'
import { CONNECTION_FAULTS } from '../../src/http/outcome.ts'
import { PET_STATUSES } from '../../src/inventory/pet.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)

describe('spec/openapi.yaml', () => {
  test('is what the generated files were made from', { timeout: 60_000 }, async () => {
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

describe('spec/openapi-3.0.yaml', () => {
  test('says the same as the document it was made from', async () => {
    const document = await readDocument('openapi.yaml')
    const { summary: _, ...info } = document.info
    expect(await readDocument('openapi-3.0.yaml')).toEqual({
      ...(toOlder(document) as object),
      openapi: '3.0.3',
      info,
    })
  })
})

async function readDocument(name: string): Promise<{ info: { summary: string } }> {
  return parse(await readFile(`${ROOT}/spec/${name}`, 'utf8')) as { info: { summary: string } }
}

/** A schema of OpenAPI 3.1 has a list of examples, one of 3.0 a single one. Some tools for 3.0 know no ranges of statuses. */
function toOlder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toOlder)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== '2XX')
      .map(([name, part]) =>
        name === 'examples' && Array.isArray(part) ? ['example', part[0]] : [name, toOlder(part)],
      ),
  )
}

describe('spec/control.openapi.yaml', () => {
  test('has the statuses and codes of the mock', async () => {
    const { components } = parse(await readFile(`${ROOT}/spec/control.openapi.yaml`, 'utf8')) as {
      components: { schemas: Record<string, { enum?: string[]; properties?: Record<string, { enum: string[] }> }> }
    }
    const { PetStatus, Error: ErrorObject } = components.schemas
    expect(PetStatus?.enum).toEqual(PET_STATUSES)
    // Two of the codes are sent by the service alone.
    const codes = Object.keys(ERROR_STATUSES).filter((code) => code !== 'not_specified' && code !== 'bad_gateway')
    expect(ErrorObject?.properties?.['code']?.enum.toSorted()).toEqual(codes.toSorted())
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
