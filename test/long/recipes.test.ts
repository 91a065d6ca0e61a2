import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { BIN } from '../cli/start-bin.ts'
import { makeFolder } from '../cli/state-folder.ts'
import { runProgram } from '../run-program.ts'

const HERE = resolve(import.meta.dirname, '../recipes')

const hasPytest = (await run('python3', ['-c', 'import pytest, requests'])).exitCode === 0
const hasJava = (await run('javac', ['-version'])).exitCode === 0

test.skipIf(!hasPytest)('the client in pytest and requests works (needs both packages)', async () => {
  const pytest = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', join(HERE, 'python/test_inventory.py')]
  const { exitCode, output } = await execWith(['python3', ...pytest])
  expect(exitCode, output).toBe(0)
  expect(output).toContain('3 passed')
})

// JUnit comes from a registry of its own, so its annotation and assertion are replaced by those in stubs/.
test.skipIf(!hasJava)('the client in Java works (needs a JDK)', async () => {
  const out = await makeFolder()
  const sources = [
    'InventoryTest.java',
    'stubs/RunTests.java',
    'stubs/org/junit/jupiter/api/Test.java',
    'stubs/org/junit/jupiter/api/Assertions.java',
  ]
  const compiled = await run('javac', ['-d', out, ...sources.map((name) => join(HERE, 'java', name))])
  expect(compiled.exitCode, compiled.output).toBe(0)
  const { exitCode, output } = await execWith(['java', '-cp', out, 'RunTests', 'InventoryTest'])
  expect(exitCode, output).toBe(0)
  expect(output).toBe('1 passed\n')
})

/** Runs a command with `petstore-mock exec`. */
function execWith(command: readonly string[]) {
  return run(process.execPath, [BIN, 'exec', '--', ...command])
}

function run(program: string, args: readonly string[]) {
  // In the C locale, a JDK cannot open files whose path has other letters than ASCII.
  return runProgram(program, args, { cwd: HERE, env: { LC_ALL: 'C.UTF-8', PYTHONDONTWRITEBYTECODE: '1' } })
}
