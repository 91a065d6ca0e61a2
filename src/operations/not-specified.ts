import { createErrorAnswer } from '../http/error-response.ts'
import type { OperationHandler } from './operation-handler.ts'

/** An operation that the specification names and does not show. */
export const notSpecified: OperationHandler = ({ operation, sunset }) =>
  createErrorAnswer(
    'not_specified',
    `${operation.method} ${operation.path} is named in the specification and its answer is not shown. Give the double a handler of your own: mock.use(http.${operation.method.toLowerCase()}('*${operation.path.replaceAll(/\{(\w+)\}/g, ':$1')}', resolver)), or petstore-mock serve --handlers FILE.`,
    operation.deprecated && sunset !== undefined ? { sunset: sunset.toUTCString() } : {},
  )
