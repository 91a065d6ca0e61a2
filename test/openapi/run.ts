// Tries other people's tools with the OpenAPI document: npx node test/openapi/run.ts. Further arguments are Vitest's.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

const FOLDER = import.meta.dirname
const ROOT = resolve(FOLDER, '../..')

function run(program: string, args: readonly string[]): void {
  const { status } = spawnSync(program, args, { cwd: ROOT, stdio: 'inherit', shell: process.platform === 'win32' })
  if (status !== 0) process.exit(status ?? 1)
}

if (!existsSync(join(FOLDER, 'node_modules'))) run('npm', ['ci', '--prefix', FOLDER, '--no-audit', '--no-fund'])
run('tsc', ['-p', FOLDER])
run('vitest', ['run', '--config', join(FOLDER, 'vitest.config.ts'), ...process.argv.slice(2)])
