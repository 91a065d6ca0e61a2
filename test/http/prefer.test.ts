import { describe, expect, test } from 'vitest'
import { parsePrefer, toPreferenceApplied } from '../../src/http/prefer.ts'

describe('Prefer', () => {
  test.each([
    ['code=404', { code: 404 }],
    ['delay=0', { delay: 0 }],
    ['delay=86400000', { delay: 86_400_000 }],
    ['delay=86400001', {}],
    ['code=199', {}],
    ['code=200', { code: 200 }],
    ['code=599', { code: 599 }],
    ['code=600', {}],
    ['code="503"', { code: 503 }],
    ['code=4"04"', {}],
    ['code="40"4', {}],
    ['CODE = 503 , DELAY= 5', { code: 503, delay: 5 }],
    ['code=503; foo=bar; delay=7', { code: 503 }],
    ['code;foo=503', {}],
    ['wait=10, code=503', { code: 503 }],
    ['code=503, code=404', { code: 503 }],
    ['code=nonsense, code=404', {}],
    ['code, code=404', {}],
    ['code; a=1, Code = 404', {}],
    ['codes=1, code=404', { code: 404 }],
    ['delay=1, delay=2', { delay: 1 }],
    ['code=5e2', {}],
    ['code=-503', {}],
    ['code=0503', { code: 503 }],
    ['code=503=1', {}],
    ['code', {}],
    ['', {}],
  ])('%s', (header, preferences) => {
    expect(parsePrefer(header)).toStrictEqual(preferences)
  })

  test.each([
    [{ code: 404 }, 404, 'code=404'],
    [{ code: 201 }, 200, undefined],
    [{ delay: 0 }, 200, 'delay=0'],
    [{ code: 503, delay: 5 }, 503, 'code=503, delay=5'],
    [{ code: 201, delay: 5 }, 200, 'delay=5'],
    [{}, 200, undefined],
  ])('%j applied to a response of %i is told as %j', (preferences, status, header) => {
    expect(toPreferenceApplied(preferences, status)['preference-applied']).toBe(header)
  })
})
