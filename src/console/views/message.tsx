import type { ComponentChildren } from 'preact'
import { toPrettyBody } from '../api/pretty-json.ts'

export interface MessageProps {
  readonly title: string
  readonly message: {
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
    readonly isCut?: boolean
  }
  /** What goes before the headers. */
  readonly children?: ComponentChildren
}

/** A request or a response: its headers, and its body as it is best read. */
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
      {isCut && <p class="note">The body is longer. The mock did not keep the rest.</p>}
    </section>
  )
}
