// @ts-check
// `npm start`: the program from source. The console is built first if its sources are newer.
import './check-setup.js'
import { fileURLToPath } from 'node:url'
import { buildConsole } from './build.js'

buildConsole(fileURLToPath(new URL('..', import.meta.url)))
await import('../src/cli/bin.ts')
