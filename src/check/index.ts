export type { CaseResult, CheckReport, Verdict } from './check-report.ts'
export { formatReport, type Reporter } from './format-report.ts'
export { type RunCheckOptions, runCheck } from './run-check.ts'
export { type CheckedServeOptions, serveChecked, type Violation } from './serve-checked.ts'
