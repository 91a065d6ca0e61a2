import { describe, expect, test } from 'vitest'
import { createMock } from '../../src/index.ts'
import { serve } from '../../src/runtimes/server.ts'
import { OTHER_DECISIONS, serveOther } from './other-service.ts'
import { findRandomProfiles, probeProfile } from './probe-profile.ts'
import { startService } from './services/plain-service.ts'

describe.concurrent('findProfile', () => {
  test('finds nothing where a service decides as the mock does', async () => {
    await using server = await serve(createMock())
    const probed = await probeProfile({ url: server.url, write: true })
    expect(probed).toMatchObject({ url: `${server.url}/v1`, profile: {}, isRestored: true })
    expect(probed.points.every(({ ours, theirs }) => ours === theirs)).toBe(true)
  })

  test('finds every point that a service decides otherwise, and restores its stock', async () => {
    await using service = await serveOther()
    const before = structuredClone(service.pets)
    const { profile, points } = await probeProfile({ url: service.url, write: true })
    expect(profile).toEqual(OTHER_DECISIONS)
    expect(points.filter(({ reason }) => reason !== undefined)).toEqual([])
    expect(service.pets).toEqual(before)
  })

  test('does not take the list after a dropped connection for the response that decides a point', async () => {
    let drops = 0
    await using service = await startService((base) => ({
      send: (reply, response, call) => {
        if (call.headers['content-type'] !== 'text/plain' || drops > 0) return base.send(reply, response, call)
        drops += 1
        call.socket.destroy()
      },
    }))
    const { points } = await probeProfile({ url: service.url, apiKey: service.apiKey, write: true, only: 'text/plain' })
    expect([drops, points.find(({ point }) => point === 'otherContentType')?.theirs]).toEqual([1, 'reject'])
  })

  // More of them: test/long/find-profile.test.ts.
  test('finds what any service decides, in few requests', () => findRandomProfiles(3))

  test('without updates it probes what the list shows, and says why not the rest', async () => {
    await using service = await serveOther()
    const { profile, points } = await probeProfile({ url: service.url, write: false })
    expect(profile).toEqual({ challenge: 'omit', codes: { 401: 'E_KEY' } })
    expect(service.requests.filter((line) => !line.startsWith('GET'))).toEqual([])
    expect(points.find(({ point }) => point === 'order')).toEqual({
      point: 'order',
      ours: '401, 400, 404',
      theirs: undefined,
      reason: 'updates are only sent with --write',
    })
  })

  test('updates no pet whose quantity could not be restored', async () => {
    await using service = await serveOther({ decisions: { quantity: { min: 1 } } })
    const before = structuredClone(service.pets)
    const { points, isRestored } = await probeProfile({ url: service.url, write: true, petIds: ['8'] })
    expect(points.find(({ point }) => point === 'quantity.min')?.reason).toBe(
      'there is no pet whose quantity could be restored',
    )
    expect(isRestored).toBe(true)
    expect(service.pets).toEqual(before)
  })

  test('a service that never rejects a key decides nothing about the challenge', async () => {
    await using service = await serveOther({
      tamper: ({ method, pets }) =>
        method === 'GET' ? pets.map((pet) => ({ ...pet, petId: 3 })).slice(0, 1) : undefined,
    })
    const { profile, points } = await probeProfile({ url: service.url, write: false })
    expect(profile).not.toHaveProperty('challenge')
    expect(points.find(({ point }) => point === 'challenge')?.reason).toBe('no value leads to the status 200')
  })

  test('a service that accepts any quantity and stores its own maximum has no bound', async () => {
    await using service = await serveOther({
      decisions: {},
      pets: [{ petId: '3', quantity: 12, status: 'available' }],
      tamper({ method, body, pets: [pet] }) {
        const quantity = Number(/^\{"quantity":(\d{5,})\}$/.exec(body)?.[1])
        if (method === 'GET' || pet === undefined || Number.isNaN(quantity)) return undefined
        pet.quantity = 9999
        return { ...pet, petId: 3 }
      },
    })
    const { profile, points } = await probeProfile({ url: service.url, write: true })
    expect(profile).toEqual({})
    expect(points.find(({ point }) => point === 'quantity.max')).toMatchObject({
      reason: 'the service accepts quantity 9007199254740991 and does not return it',
    })
  })

  test('a code of more than 200 characters is unknown', async () => {
    await using service = await serveOther({ decisions: { codes: { 401: 'x'.repeat(201) } } })
    const { profile, points } = await probeProfile({ url: service.url, write: false })
    expect(profile).toEqual({})
    expect(points.find(({ point }) => point === 'codes.401')?.reason).toBe(
      'the response 401 has no code of 1 to 200 characters',
    )
  })

  test('leaves out what it cannot decide, with the reason', async () => {
    await using service = await serveOther({
      decisions: { codes: { 401: 'no demo-key here' } },
      tamper: ({ body }) => (body.includes('petstore-check') ? {} : undefined),
    })
    const { profile, points } = await probeProfile({ url: service.url, write: true })
    const reasons = Object.fromEntries(points.map(({ point, reason }) => [point, reason]))
    expect(reasons['codes.401']).toBe('the code repeats the API key')
    expect(JSON.stringify({ profile, points })).not.toContain('no demo-key')
  })
})
