import { describe, expect, test } from 'vitest'
import { createMock } from '../../src/index.ts'

describe('GET /_mock/metrics', () => {
  test('counts requests, faults and durations over all sandboxes, in the text format of Prometheus', async () => {
    const mock = createMock()
    const ask = (key: string, path = '/v1/inventory'): Promise<Response> =>
      mock.fetch(path, { headers: { authorization: `Bearer ${key}` } })
    await ask('demo-key')
    await ask('demo-key~a')
    await ask('wrong')
    await ask('demo-key', '/v1/nowhere')
    mock.faults.add({ status: 503, delay: 30, times: 1 })
    await ask('demo-key')
    const answer = await mock.fetch('/_mock/metrics')
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    const text = await answer.text()
    expect(read(text)).toMatchObject({
      'requests_total{operation="listInventory",status="200"}': 2,
      'requests_total{operation="listInventory",status="401"}': 1,
      'requests_total{operation="listInventory",status="503"}': 1,
      'requests_total{operation="none",status="404"}': 1,
      faults_total: 1,
      'request_duration_seconds_bucket{le="+Inf"}': 5,
      request_duration_seconds_count: 5,
      sandboxes: 1,
      pets: 10,
    })
    expect(read(text)['request_duration_seconds_sum']).toBeGreaterThan(0.02)
    for (const line of text.trimEnd().split('\n')) {
      expect(line).toMatch(/^(# (HELP|TYPE) petstore_mock_\w+ .+|petstore_mock_\w+(\{(\w+="[^"]*",?)+\})? [\d.e+-]+)$/)
    }
  })

  test('adds durations up in seconds, each in the bucket that it fits', async () => {
    const mock = createMock()
    mock.clock.useVirtual()
    for (const delay of [1, 1500, 500]) {
      mock.setDelay(delay)
      const answered = mock.fetch('/v1/inventory')
      await mock.clock.advance(delay)
      await answered
    }
    expect(read(await (await mock.fetch('/_mock/metrics')).text())).toMatchObject({
      request_duration_seconds_sum: 2.001,
      request_duration_seconds_count: 3,
      'request_duration_seconds_bucket{le="0.001"}': 1,
      'request_duration_seconds_bucket{le="0.1"}': 1,
      'request_duration_seconds_bucket{le="0.5"}': 2,
      'request_duration_seconds_bucket{le="1"}': 2,
      'request_duration_seconds_bucket{le="5"}': 3,
    })
  })

  test('each bucket holds those below it', async () => {
    const mock = createMock({ delay: 10 })
    await mock.fetch('/v1/inventory')
    const figures = read(await (await mock.fetch('/_mock/metrics')).text())
    const buckets = Object.entries(figures).filter(([name]) => name.includes('_bucket'))
    const counts = buckets.map(([, count]) => count)
    expect(counts).toEqual(counts.toSorted((a, b) => a - b))
    expect([counts[0], counts.at(-1)]).toEqual([0, 1])
  })
})

function read(text: string): Record<string, number> {
  return Object.fromEntries(
    Array.from(text.matchAll(/^petstore_mock_(\S+) (\S+)$/gm), ([, name, value]) => [name, Number(value)]),
  )
}
