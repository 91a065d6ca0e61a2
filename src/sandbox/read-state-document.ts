import { readVersion1 } from './read-state-version-1.ts'
import type { SandboxInternals } from './sandbox.ts'
import type { Sandboxes } from './sandboxes.ts'
import { type StateSummary, toSummary } from './state-document.ts'
import { StateLines } from './state-lines.ts'

/** Parses a state document piece by piece. */
interface StateReader {
  /**
   * Parses the next piece.
   * @throws {FixtureError} naming the line and its problem.
   */
  push(text: string): void
  /**
   * Restores the states of all sandboxes, or none if the document is invalid.
   * @throws {FixtureError} when the document is incomplete.
   */
  finish(): StateSummary
}

interface StateReaderOptions {
  readonly sandboxes: Sandboxes
  /** The name of the document in messages, such as its file name. */
  readonly origin: string
}

/** In characters. The lines that the mock writes are much shorter. */
const LONGEST_LINE = 1_000_000

export function createStateReader({ sandboxes, origin }: StateReaderOptions): StateReader {
  const lines = new StateLines(sandboxes.seed, origin)
  /** The pieces of a document of version 1, which has no lines. */
  let whole: string[] | undefined
  let rest = ''

  function readLines(): void {
    let start = 0
    for (let end = rest.indexOf('\n'); end !== -1; end = rest.indexOf('\n', start)) {
      lines.read(rest.slice(start, end))
      start = end + 1
    }
    rest = rest.slice(start)
    if (rest.length > LONGEST_LINE) lines.fail('is too long for a state file')
  }

  return {
    push(text) {
      if (whole !== undefined) {
        whole.push(text)
        return
      }
      rest += text
      if (lines.count > 0 || isVersioned(rest)) readLines()
      else if (rest.includes('\n') || rest.length > LONGEST_LINE) whole = [rest]
    },
    finish() {
      const isLines = whole === undefined && (lines.count > 0 || isVersioned(`${rest}\n`))
      if (isLines && rest !== '') lines.read(rest)
      const states = isLines ? lines.finish() : readVersion1((whole ?? [rest]).join(''), origin)
      const restored: SandboxInternals[] = []
      for (const [name, snapshot] of states) {
        const sandbox = sandboxes.open(name)
        sandbox.state.restore(snapshot)
        restored.push(sandbox)
        // Releases the snapshot, so that a large state is not in memory twice.
        states.delete(name)
      }
      return toSummary(restored)
    },
  }
}

/** Whether the first line is a complete JSON object with a version. A document of version 1 is a single JSON value. */
function isVersioned(text: string): boolean {
  const [, version] = /^\s*\{\s*"version"\s*:\s*(\d+)(?!\d)[^\n]*\}\s*\n/.exec(text) ?? []
  return version !== undefined && version !== '1'
}
