import { createMock } from '../../../src/index.ts'
import { startWorker, type WorkerOptions } from '../../../src/runtimes/browser.ts'

/** The error of a start. */
export function run(options: WorkerOptions): Promise<string> {
  return startWorker(createMock(), options).then(
    () => 'started',
    (error: Error) => error.message,
  )
}
