import { describeSignals } from './describe-signals.ts'

// More of them: test/long/check-signals.test.ts. In this process, a check is stopped at many more requests:
// test/check/stopped-check.test.ts.
describeSignals([
  [['SIGINT'], 'the first update', (lines) => lines.findIndex((line) => line.startsWith('PATCH')) + 1],
  [['SIGINT', 'SIGINT'], 'a request in the middle', (lines) => Math.floor(lines.length / 2)],
])
