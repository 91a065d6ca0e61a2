import { describe, expect, test } from 'vitest'
import { loadPrism } from '../../src/check/prism.ts'
import { MockError } from '../../src/index.ts'

describe('loadPrism', () => {
  test('says in one line what to install where Prism is missing', () => {
    const resolve = (specifier: string): never => {
      throw new Error(`Cannot find module '${specifier}'`)
    }
    expect(() => loadPrism({ resolve })).toThrow(
      new MockError(
        'CHECK_UNAVAILABLE',
        'Failed to start Prism: @stoplight/prism-cli is not installed. Run: npm install --save-dev @stoplight/prism-cli',
      ),
    )
  })

  test.for(['22.12.0', '24.9.0', '24.17.1'])('says what to install where Node is %s', (nodeVersion) => {
    expect(() => loadPrism({ nodeVersion })).toThrow(
      expect.objectContaining({
        code: 'CHECK_UNAVAILABLE',
        message: expect.stringMatching(
          new RegExp(
            `^Failed to start Prism: Prism [\\d.]+ needs Node [\\d.]+ or newer, and this is Node ${nodeVersion}\\. .*npm install --save-dev node@24 @stoplight/prism-cli$`,
          ),
        ),
      }),
    )
  })

  test.for(['24.18.0', '24.21.0', '26.0.0'])('takes Node %s', (nodeVersion) => {
    expect(() => loadPrism({ nodeVersion })).not.toThrow()
  })
})
