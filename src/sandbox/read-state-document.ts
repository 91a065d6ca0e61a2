import { readVersion1 } from './read-state-version-1.ts'
import type { SandboxInternals } from './sandbox.ts'
import type { Sandboxes } from './sandboxes.ts'
import { type StateSummary, toSummary } from './state-document.ts'
import { StateLines } from './state-lines.ts'

/** Reads a state document in pieces. */
export interface StateReader {
  /** Reads on. @throws {FixtureError} naming the line and what is wrong with it. */
  push(text: string): void
  /**
   * Puts what was read into the sandboxes, all or none.
   * @throws {FixtureError} where the document is not whole.
   */
  finish(): StateSummary
}

export interface StateReaderOptions {
  readonly sandboxes: Sandboxes
  /** What messages call the text: a file's name. */
  readonly origin: string
}

/** In characters. No line that is written comes near it. */
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
    if (rest.length > LONGEST_LINE) lines.fail('is too long to be one of a state file')
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
      const states = isLines
        ? lines.finish()
        : readVersion1((whole ?? [rest]).join(''), { seed: sandboxes.seed, origin })
      const rooms: SandboxInternals[] = []
      for (const [name, snapshot] of states) {
        const room = sandboxes.open(name)
        room.state.restore(snapshot)
        rooms.push(room)
        // What was taken up is let go: a large state would lie in memory twice.
        states.delete(name)
      }
      return toSummary(rooms)
    },
  }
}

/** Whether the first line stands for itself and names a version; a document of version 1 is one value as a whole. */
function isVersioned(text: string): boolean {
  const [, version] = /^\s*\{\s*"version"\s*:\s*(\d+)[^\n]*\}\s*\n/.exec(text) ?? []
  return version !== undefined && version !== '1'
}
