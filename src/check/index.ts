export type { CheckProgress, RestoredStock } from './check-service.ts'
export { formatReport } from './format-report.ts'
export { type ProbedPoint, type ProbedProfile, probeProfile } from './profile/probe-profile.ts'
export { runCheck } from './run-check.ts'
