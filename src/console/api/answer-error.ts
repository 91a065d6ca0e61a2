import { parseJson } from './parse-json.ts'

/** An error response, with the message of its Error object. */
export class AnswerError extends Error {
  override readonly name = 'AnswerError'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** A request that cannot be sent. */
export class RequestError extends Error {
  override readonly name = 'RequestError'
}

/** Reads the Error object of a response, or falls back to the status text. */
export async function toAnswerError(response: Response): Promise<AnswerError> {
  const text = await response.text().catch(() => '')
  return new AnswerError(response.status, readMessage(text) ?? (response.statusText || 'The response has no message'))
}

/** An error as a sentence for the user. */
export function toSentence(error: unknown): string {
  if (error instanceof AnswerError) return `${error.status} · ${error.message}`
  if (error instanceof RequestError) return error.message
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'No response in time'
  if (error instanceof DOMException && error.name === 'AbortError') return 'Cancelled'
  return 'The connection broke before a response came'
}

function readMessage(text: string): string | undefined {
  try {
    return parseJson<{ message?: string }>(text).message
  } catch {
    return undefined
  }
}
