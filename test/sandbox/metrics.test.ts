import { expect, test } from 'vitest'
import { createMetrics } from '../../src/sandbox/metrics.ts'

const ANSWERED = { operation: 'listInventory', answer: undefined, fault: undefined, duration: 0 } as const

test('metrics are written in the text format of Prometheus', () => {
  const metrics = createMetrics()
  const answer = (status: number) => ({ type: 'response', status, headers: {}, body: [] }) as const
  metrics.count({ ...ANSWERED, answer: answer(200), duration: 1 })
  metrics.count({ ...ANSWERED, answer: answer(200), duration: 5.5 })
  metrics.count({ ...ANSWERED, fault: { id: 1, error: 'reset', inContract: true }, duration: 30_000 })
  metrics.count({ ...ANSWERED, operation: undefined, answer: answer(404), duration: 30_001 })
  expect(metrics.write({ pets: { help: 'Pets of the default sandbox.', value: 10 } }).split('\n')).toEqual([
    expect.stringMatching(/^# HELP petstore_mock_requests_total ./),
    '# TYPE petstore_mock_requests_total counter',
    'petstore_mock_requests_total{operation="listInventory",status="200"} 2',
    'petstore_mock_requests_total{operation="listInventory",status="none"} 1',
    'petstore_mock_requests_total{operation="none",status="404"} 1',
    expect.stringMatching(/^# HELP petstore_mock_faults_total ./),
    '# TYPE petstore_mock_faults_total counter',
    'petstore_mock_faults_total 1',
    expect.stringMatching(/^# HELP petstore_mock_request_duration_seconds ./),
    '# TYPE petstore_mock_request_duration_seconds histogram',
    ...[
      ['0.001', 1],
      ['0.005', 1],
      ['0.025', 2],
      ['0.1', 2],
      ['0.5', 2],
      ['1', 2],
      ['5', 2],
      ['30', 3],
      ['+Inf', 4],
    ].map(([bound, count]) => `petstore_mock_request_duration_seconds_bucket{le="${bound}"} ${count}`),
    expect.stringMatching(/^petstore_mock_request_duration_seconds_sum 60\.00750*\d*$/),
    'petstore_mock_request_duration_seconds_count 4',
    '# HELP petstore_mock_pets Pets of the default sandbox.',
    '# TYPE petstore_mock_pets gauge',
    'petstore_mock_pets 10',
    '',
  ])
})
