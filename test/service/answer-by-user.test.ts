import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import { BODY_TOO_LARGE, toWireRequest } from '../../src/http/wire-request.ts'
import { answerByUser, createUploads } from '../../src/service/answer-by-user.ts'
import type { RequestContext } from '../../src/service/request-context.ts'

test('a body that was already found too large is a 400, and the handlers are not asked', async () => {
  const request = new Request('http://mock.example/v1/store/orders', { method: 'POST', body: 'x'.repeat(70_000) })
  const body = toWireRequest(request).readBody(65_536)
  expect(await body).toBe(BODY_TOO_LARGE)
  const context = { request: toWireRequest(request), body, uploads: createUploads() } as Partial<RequestContext>
  const handler = http.all('*', () => HttpResponse.json('asked'))
  const parts = { handlers: [handler], proxy: undefined }
  const outcome = await answerByUser(context as RequestContext, parts)
  expect(outcome).toMatchObject({ type: 'response', status: 400 })
})
