export type { RequestLogEntry } from './server/request-log.ts'
export type { Grace, ServeOptions } from './server/serve-options.ts'
export { type CloseOptions, type RunningServer, serve } from './server/serve-requests.ts'
