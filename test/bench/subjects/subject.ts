/** One side of a comparison inside a process: the same work again and again. */
export interface Subject {
  /** What the work gives, to compare with what the other side's gives. */
  check(): unknown
  /** Does the work so many times; gives what it took, in milliseconds. */
  run(count: number): Promise<number>
}

/** What a subject does; `turn` counts from 0. */
export interface SubjectWork {
  /** What comes before each work and is not timed. */
  readonly prepare?: (turn: number) => void
  readonly work: (turn: number) => unknown
  /** @default the first work */
  readonly check?: () => unknown
}

export function createSubject({ prepare = () => {}, work, check = () => work(0) }: SubjectWork): Subject {
  let turn = 0
  return {
    check,
    async run(count) {
      let time = 0
      for (const end = turn + count; turn < end; turn += 1) {
        prepare(turn)
        const start = performance.now()
        const result = work(turn)
        if (result instanceof Promise) await result
        time += performance.now() - start
      }
      return time
    },
  }
}
