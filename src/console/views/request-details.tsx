import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { type JournalEntry, toApiKey, toPrettyBody } from '../api/model.ts'
import { toDraft } from '../state/faults.ts'
import { type CopyForm, copyRequest, explainNoReplay, isPrintable, isTestable } from '../state/reuse-request.ts'
import { useConsole } from './hooks.ts'
import { Button, Menu } from './parts.tsx'

const FORMS: Readonly<Record<CopyForm, string>> = { curl: 'curl', fetch: 'fetch', test: 'Vitest test' }

interface RequestDetailsProps {
  readonly entry: JournalEntry
  /** Whether the bodies are not there yet. */
  readonly isLoading: boolean
  readonly onClose: () => void
}

/** The details of an entry below its row, which has the reason: what to do about it, then the messages. */
export function RequestDetails({ entry, isLoading, onClose }: RequestDetailsProps) {
  const { actions, store, addresses, copyForms } = useConsole()
  const section = useRef<HTMLElement>(null)
  // With its row, which stays in view if the details are higher than the list.
  useEffect(() => section.current?.parentElement?.scrollIntoView({ block: 'nearest' }), [isLoading])
  const { request, answer } = entry
  const problem = explainNoReplay(entry)
  const isOffered = { curl: isPrintable(entry), fetch: true, test: isTestable(entry) }
  const forms = copyForms.filter((form) => isOffered[form])

  function copy(form: CopyForm): void {
    const url = addresses.toService(request.path)
    const target = { url, apiKey: toApiKey(store.state), basePath: store.state.basePath }
    void actions.copy(copyRequest[form](entry, target), `Copied as ${FORMS[form]}`)
  }

  return (
    <section ref={section} class="details" aria-label={`${request.method} ${request.path}`}>
      <div class="tools">
        <Button text="Make this fail…" run={() => actions.draftFault(toDraft(entry))} />
        <Button text="Send again" disabled={isLoading || problem !== undefined} run={() => actions.replay(entry)} />
        {!isLoading && (
          <Menu text="Copy" items={forms.map((form) => ({ label: FORMS[form], run: () => copy(form) }))} />
        )}
        <Button text="Close" class="plain" run={onClose} />
      </div>
      {problem !== undefined && <p class="note">{problem}</p>}
      {answer === undefined ? (
        <section>
          <h3>No response</h3>
          <p class="note">The client disconnected, or a fault broke its connection.</p>
        </section>
      ) : (
        <Message title={`Response ${answer.status}`} message={answer} isLoading={isLoading} />
      )}
      <Message title="Request" message={request} isLoading={isLoading}>
        <p class="path">
          {request.method} {request.path}
        </p>
      </Message>
    </section>
  )
}

interface MessageProps {
  readonly title: string
  readonly message: JournalEntry['request'] | NonNullable<JournalEntry['answer']>
  /** Whether the body is not there yet. */
  readonly isLoading: boolean
  /** Shown before the body. */
  readonly children?: ComponentChildren
}

/** The formatted body and the headers of a request or response. */
function Message({ title, message: { headers, body, isCut = false }, isLoading, children }: MessageProps) {
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {children}
      {body !== '' && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be in reach of the keyboard
        <pre tabIndex={0}>{toPrettyBody(body)}</pre>
      )}
      {body === '' && !isLoading && <p class="note">No body.</p>}
      {isCut && <p class="note">The body is longer; the mock kept only this part.</p>}
      <details class="more">
        <summary>Headers</summary>
        <dl class="headers">
          {Object.entries(headers).map(([name, value]) => (
            <div key={name} class="tools">
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </details>
    </section>
  )
}
