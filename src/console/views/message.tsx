import type { ComponentChildren } from 'preact'
import { toPrettyBody } from '../api/pretty-json.ts'

interface MessageProps {
  readonly title: string
  readonly message: {
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
    readonly isCut?: boolean
  }
  /** Shown before the headers. */
  readonly children?: ComponentChildren
}

/** The headers and the formatted body of a request or response. */
export function Message({ title, message: { headers, body, isCut = false }, children }: MessageProps) {
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {children}
      <dl class="headers">
        {Object.entries(headers).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {body === '' ? (
        <p class="note">No body.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be in reach of the keyboard
        <pre tabIndex={0}>{toPrettyBody(body)}</pre>
      )}
      {isCut && <p class="note">The body is longer; the mock kept only this part.</p>}
    </section>
  )
}
