import { HIDDEN } from '../http/hide-credentials.ts'
import { listSecrets } from './conformance/bad-keys.ts'

/**
 * Hides the API key in a text of the service, in every form in which the cases send it: a service may repeat it. Texts
 * with the key must not get into a report or a file.
 */
export function hideKey(text: string, apiKey: string): string {
  return listSecrets(apiKey).reduce((shown, secret) => shown.replaceAll(secret, HIDDEN), text)
}
