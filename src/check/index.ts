export type { CheckProgress, RestoredStock } from './check-service.ts'
export { formatReport } from './format-report.ts'
export { runCheck } from './run-check.ts'
