import { hideInAddress } from './hide-credentials.ts'

/**
 * Why a request of `fetch` failed. Its own error only says that it did; the reason is in the `cause`. Either may repeat
 * the address, so credentials are redacted.
 */
export function toFetchReason(error: unknown): string {
  const { message, cause } = error as Error
  const reason = cause instanceof Error && cause.message !== '' ? cause.message : message
  // Firefox ends its sentence, which is part of another one here.
  return hideInAddress(reason).replace(/\.$/, '')
}
