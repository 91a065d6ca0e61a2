import { expect, test } from 'vitest'
import { serve } from '../../src/cli/commands/serve.ts'
import { SERVE_OPTIONS, type ServeFlags } from '../../src/cli/serve/serve-flags.ts'

const FLAGS: ServeFlags = {
  port: 0,
  host: '127.0.0.1',
  fixture: 'default',
  randomSeed: 1,
  apiKey: ['demo-key'],
  anyKey: false,
  prefer: false,
  check: false,
  watch: false,
  control: true,
  baseUrl: '/v1',
  proxy: 'http://127.0.0.1:1',
  proxyKeys: false,
  grace: '0',
  open: false,
  log: 'silent',
  quiet: false,
}

/** A flag that nothing reads would be accepted and have no effect. */
test('every flag of serve is read by the code that serves', async () => {
  const read = new Set<string>()
  const flags = new Proxy(FLAGS, {
    get(target, name) {
      read.add(String(name))
      return Reflect.get(target, name) as unknown
    },
  })
  const io = {
    env: {},
    out: () => {},
    err: () => {},
    open: async () => {},
    stop: AbortSignal.abort(),
    hold: () => {},
    takeSignals: () => () => {},
    isTerminal: { out: false, err: false },
  }
  expect(await serve.run(flags, io)).toBe(0)
  const declared = Object.keys(SERVE_OPTIONS).map((name) =>
    name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
  )
  expect(declared.filter((name) => !read.has(name))).toEqual([])
})
