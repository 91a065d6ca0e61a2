import { resolve } from 'node:path'
import { OPERATIONS } from '../../src/contract/operations.gen.ts'
import { createMock } from '../../src/index.ts'
import { connectFetch, withKey } from '../contract.ts'
import { CONTRACT } from '../contract-cases.ts'

export const ROOT: string = resolve(import.meta.dirname, '../..')

/** The documents that users get, by their file. */
export const DOCUMENTS = ['spec/openapi.yaml', 'spec/openapi-3.0.yaml'] as const

export interface Exchange {
  readonly title: string
  readonly method: string
  /** With the base path: `/v1/inventory/1`. */
  readonly path: string
  /** As in the document: `/inventory/{petId}`. */
  readonly template: string
  readonly status: number
  readonly body: unknown
}

/** The mock's responses in all cases of the contract that call an operation of the document. */
export async function recordContract(): Promise<Exchange[]> {
  const exchanges: Exchange[] = []
  for (const { title: group, options, cases } of CONTRACT) {
    // The responses of stubs are what their user wants.
    if (options.stubs !== undefined) continue
    const { send } = connectFetch(createMock(options))
    for (const [index, { title, exchanges: sent }] of cases.entries()) {
      for (const { request } of sent) {
        const { method, path } = request
        const answer = await send(withKey(request, `${options.apiKeys?.[0] ?? 'demo-key'}~case-${index}`))
        const template = findTemplate(method, path)
        if (template === undefined || !isDecodable(path)) continue
        const body: unknown = JSON.parse(answer.body)
        exchanges.push({ title: `${group}: ${title}`, method, path, template, status: answer.status, body })
      }
    }
  }
  return exchanges
}

function findTemplate(method: string, path: string): string | undefined {
  return OPERATIONS.find(
    (each) => each.method === method && new RegExp(`^/v1${each.path.replace(/\{\w+\}/, '[^/]+')}(\\?|$)`).test(path),
  )?.path
}

/** Some routers respond to a malformed path themselves. */
function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}
