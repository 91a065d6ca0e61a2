// json-server with a key check, its log left out.
import type { RequestListener } from 'node:http'
import { importPeer } from '../builds.ts'
import { AUTHORIZATION, TEN_PETS } from '../wire.ts'

interface JsonServer {
  create(): App
  router(data: object): { db: { _: { id: string } } }
}

interface App {
  (...args: Parameters<RequestListener>): void
  set(name: string, value: unknown): void
  use(...args: unknown[]): void
  listen(port: number, host: string): void
}

interface Exchange {
  readonly request: { readonly headers: Record<string, string | undefined> }
  readonly response: { sendStatus(status: number): void }
}

const { default: jsonServer } = await importPeer<{ default: JsonServer }>('json-server')
const router = jsonServer.router({ inventory: TEN_PETS.map((pet) => ({ ...pet })) })
router.db._.id = 'petId'
const app = jsonServer.create()
app.set('json spaces', 0)
app.use((request: Exchange['request'], response: Exchange['response'], next: () => void) => {
  if (request.headers['authorization'] === AUTHORIZATION) return next()
  response.sendStatus(401)
})
app.use('/v1', router)
app.listen(Number(process.argv[2]), '127.0.0.1')
