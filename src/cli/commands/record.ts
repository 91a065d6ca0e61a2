import { hideInAddress } from '../../http/hide-credentials.ts'
import { parseFixture } from '../../store/fixture.ts'
import { toInventoryItem } from '../../store/inventory-item.ts'
import type { Command } from '../command.ts'
import { toFixtureText } from '../fixture-text.ts'
import { UsageError } from '../io.ts'
import { parseOnce } from '../parse-flag.ts'
import { API_KEY_FLAG, OUTPUT_FLAG } from '../shared-flags.ts'
import { writeOutput } from '../write-output.ts'

interface RecordFlags {
  readonly url: string
  readonly apiKey: string
  readonly output?: string | undefined
}

/** How long the service may take, in milliseconds. */
const PATIENCE_MS = 30_000

/** `petstore-mock record`: a fixture of what a running service lists. */
export const record: Command<RecordFlags> = {
  summary: "write a fixture from a running service's inventory",
  positionals: {
    url: {
      type: 'string',
      demandOption: true,
      coerce: parseOnce('url'),
      describe: "the service's base address, as http://127.0.0.1:4100/v1",
    },
  },
  options: { 'api-key': API_KEY_FLAG, output: OUTPUT_FLAG },
  async run({ url, apiKey, output }, io) {
    const base = toBase(url)
    const list = await fetchList(base, { apiKey, stop: io.stop })
    const pets = parseFixture(`{"inventory":${list}}`, `${base}/inventory`)
    const fixture = { description: `Recorded from ${base}`, inventory: Array.from(pets.values(), toInventoryItem) }
    await writeOutput(toFixtureText(fixture), { output, io })
    return 0
  },
}

/** An address without a path gets the service's own. */
function toBase(text: string): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError(`${hideInAddress(text)} is not an http address.`)
  const path = url.pathname.replace(/\/+$/, '')
  return url.origin + (path === '' ? '/v1' : path)
}

async function fetchList(base: string, { apiKey, stop }: { apiKey: string; stop: AbortSignal }): Promise<string> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(PATIENCE_MS)])
  const headers = { authorization: `Bearer ${apiKey}`, accept: 'application/json' }
  const answer = await fetch(`${base}/inventory`, { headers, signal }).catch((cause: Error) => {
    throw new UsageError(`${base} does not answer: ${(cause.cause as Error | undefined)?.message ?? cause.message}.`, {
      cause,
    })
  })
  if (answer.status !== 200)
    throw new UsageError(`${base}/inventory answers ${answer.status}, not 200. Is --api-key right?`)
  return answer.text()
}
