import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AUTHORIZATION, TEN_PETS } from '../wire.ts'

/** Writes a Mockoon environment: the ten pets behind its CRUD route, with a key check. */
export function writeMockoonEnvironment(folder: string): string {
  const file = join(folder, 'mockoon.json')
  const bucket = { uuid: randomUUID(), id: 'pets', name: 'pets', documentation: '', value: JSON.stringify(TEN_PETS) }
  const pets = { ...toResponse(200), default: true, bodyType: 'DATABUCKET', databucketID: 'pets', crudKey: 'petId' }
  const rule = { target: 'header', modifier: 'Authorization', value: AUTHORIZATION, invert: true, operator: 'equals' }
  const refusal = { ...toResponse(401), rules: [rule] }
  const route = {
    uuid: randomUUID(),
    type: 'crud',
    documentation: '',
    method: '',
    endpoint: 'v1/inventory',
    responses: [pets, refusal],
    responseMode: null,
    streamingMode: null,
    streamingInterval: 0,
  }
  writeFileSync(file, JSON.stringify(toEnvironment(route, bucket)))
  return file
}

function toResponse(statusCode: number): object {
  return {
    uuid: randomUUID(),
    body: '{}',
    latency: 0,
    statusCode,
    label: '',
    headers: [],
    bodyType: 'INLINE',
    filePath: '',
    databucketID: '',
    sendFileAsBody: false,
    rules: [],
    rulesOperator: 'OR',
    disableTemplating: false,
    fallbackTo404: false,
    default: false,
    crudKey: 'id',
    callbacks: [],
  }
}

function toEnvironment(route: { uuid: string }, bucket: object): object {
  return {
    uuid: randomUUID(),
    lastMigration: 33,
    name: 'inventory',
    endpointPrefix: '',
    latency: 0,
    port: 3000,
    hostname: '',
    folders: [],
    routes: [route],
    rootChildren: [{ type: 'route', uuid: route.uuid }],
    proxyMode: false,
    proxyHost: '',
    proxyRemovePrefix: false,
    tlsOptions: { enabled: false, type: 'CERT', pfxPath: '', certPath: '', keyPath: '', caPath: '', passphrase: '' },
    cors: true,
    headers: [{ key: 'Content-Type', value: 'application/json' }],
    proxyReqHeaders: [],
    proxyResHeaders: [],
    data: [bucket],
    callbacks: [],
  }
}
