import { describeSignals } from '../programs/describe-signals.ts'

describeSignals([
  [['SIGINT'], 'the first request', () => 1],
  [['SIGHUP'], 'a request in the middle', (lines) => Math.floor(lines.length / 2)],
  [['SIGINT', 'SIGINT'], 'the first restoration', (lines) => lines.lastIndexOf('GET /v1/store/orders') + 2],
  [['SIGHUP'], 'the last request', (lines) => lines.length],
])
