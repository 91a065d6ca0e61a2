import { expect, test } from 'vitest'
import { toEvidence } from '../../src/check/report.ts'

test('a key that a service repeats is hidden before a long body is cut', () => {
  const apiKey = 'sekrit-KEY-abcdefghijklmnop'
  const request = { operation: 'listInventory' } as const
  for (let before = 250; before < 310; before += 1) {
    const exchange = { request, status: 403, text: 'z'.repeat(before) + apiKey, json: undefined }
    const { response } = toEvidence(exchange as never, { url: 'http://127.0.0.1:1', apiKey })
    expect(response).not.toContain('sekrit')
  }
})
