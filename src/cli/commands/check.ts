import { hideInAddress } from '../../http/hide-credentials.ts'
import type { Command } from '../command.ts'
import { INTERRUPTED } from '../io.ts'
import { createPaint } from '../paint.ts'
import { parseOnce } from '../parse-flag.ts'
import { API_KEY_FLAG } from '../shared-flags.ts'
import { withProgress } from '../with-progress.ts'

const REPORTERS = ['pretty', 'json', 'junit'] as const

interface CheckFlags {
  readonly url?: string | undefined
  readonly apiKey: string
  readonly reporter: (typeof REPORTERS)[number]
}

/** Exit code where a rule was broken. */
const FAILED = 1

/** `petstore-mock check`: the conformance pack, through Prism. */
export const check: Command<CheckFlags> = {
  summary: 'check the mock, or a running service, against the specification with Prism',
  positionals: {
    url: { type: 'string', coerce: parseOnce('url'), describe: 'a running service; else the mock itself' },
  },
  options: {
    'api-key': API_KEY_FLAG,
    reporter: { choices: REPORTERS, default: 'pretty', describe: 'the form of the report' },
  },
  examples: [
    ['check', 'check the mock itself'],
    ['check http://127.0.0.1:4100/v1 --api-key demo-key', 'check a service that runs'],
    ['check --reporter junit > report.xml', 'a report for CI'],
  ],
  async run({ url, apiKey, reporter }, io) {
    const { formatReport, runCheck } = await import('../../check/index.ts')
    try {
      const report = await withProgress(`Checking ${url === undefined ? 'the mock' : hideInAddress(url)}…`, {
        io,
        work: () => runCheck({ ...(url !== undefined && { url }), apiKey, signal: io.stop }),
      })
      io.out(formatReport(report, { reporter, paint: createPaint(io, 'out') }))
      return report.failed === 0 ? 0 : FAILED
    } catch (error) {
      if (io.stop.aborted) return INTERRUPTED
      throw error
    }
  },
}
