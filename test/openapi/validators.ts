import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import SwaggerParser from '@apidevtools/swagger-parser'
import express from 'express'
import OpenApiValidator from 'express-openapi-validator'
import jestOpenApi from 'jest-openapi'
import OpenApiResponseValidator, { type OpenAPIResponseValidatorArgs } from 'openapi-response-validator'
import { expect } from 'vitest'
import { type Exchange, ROOT } from './exchanges.ts'

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> {
    toSatisfyApiSpec(): R
  }
}

export interface Validator {
  /** Resolves with what the tool has against a response; `undefined` if it accepts the response. */
  validate(exchange: Exchange): Promise<string | undefined>
  close?(): void
}

interface Tool {
  readonly create: (file: string) => Promise<Validator>
  readonly reads31: boolean
  /** Whether it knows `default`, which stands for the statuses that are not listed. */
  readonly knowsDefault: boolean
}

export const VALIDATORS: Readonly<Record<string, Tool>> = {
  'express-openapi-validator': { create: createExpressValidator, reads31: true, knowsDefault: true },
  'jest-openapi': { create: createJestValidator, reads31: false, knowsDefault: false },
  'openapi-response-validator': { create: createResponseValidator, reads31: true, knowsDefault: true },
}

/** An Express server with the middleware, whose handler sends the response. */
async function createExpressValidator(file: string): Promise<Validator> {
  let current: Exchange | undefined
  let problem: string | undefined
  const app = express()
  app.use(
    OpenApiValidator.middleware({
      apiSpec: file,
      // The requests of the contract are bad on purpose.
      validateRequests: false,
      validateSecurity: false,
      validateResponses: {
        onError: ({ message }) => (problem = message),
      },
    }),
  )
  app.use((_request, response) => void response.status(current?.status ?? 500).json(current?.body))
  const server: Server = createServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    validate: async (exchange) => {
      current = exchange
      problem = undefined
      const response = await fetch(`http://127.0.0.1:${port}${exchange.path}`, { method: exchange.method })
      const body: unknown = await response.json()
      if (response.status !== exchange.status) return `${response.status}: ${JSON.stringify(body)}`
      return problem
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function createJestValidator(file: string): Promise<Validator> {
  jestOpenApi.default(resolve(ROOT, file))
  return {
    validate: async ({ method, path, status, body }) => {
      try {
        // As axios returns it. Clients encode what is not ASCII.
        expect({
          status,
          data: body,
          request: { method, path: new URL(path, 'http://localhost').pathname },
        }).toSatisfyApiSpec()
        return undefined
      } catch (error) {
        return (error as Error).message
      }
    },
  }
}

async function createResponseValidator(file: string): Promise<Validator> {
  const { paths = {} } = await SwaggerParser.dereference(file)
  return {
    validate: async ({ method, template, status, body }) => {
      // Its types know the responses of OpenAPI 2 only.
      const { responses } = Reflect.get(paths[template] ?? {}, method.toLowerCase())
      const validator = new OpenApiResponseValidator.default({ responses } as OpenAPIResponseValidatorArgs)
      const problem = validator.validateResponse(status, body)
      return problem === undefined ? undefined : JSON.stringify(problem)
    },
  }
}
