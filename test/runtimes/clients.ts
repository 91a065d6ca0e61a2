import axios from 'axios'
import { type Connection, toWireAnswer } from '../contract.ts'

/** The process's own `fetch`, sending to an origin. */
export function connectGlobalFetch(origin: string): Connection {
  return {
    async send({ method, path, headers, body }) {
      return toWireAnswer(await fetch(origin + path, { method, headers, ...(body !== undefined && { body }) }))
    },
  }
}

/** axios, sending to an origin; it goes through `node:http`, or in a page through XMLHttpRequest. */
export function connectAxios(origin: string): Connection {
  return {
    async send({ method, path, headers, body }) {
      const answer = await axios.request<string>({
        url: origin + path,
        method,
        // axios fills in a Content-Type of its own unless told not to.
        headers: { 'content-type': false, ...headers },
        data: typeof body === 'string' || body === undefined ? body : body.buffer,
        responseType: 'text',
        transformResponse: (text: string) => text,
        transformRequest: (data: unknown) => data,
        validateStatus: () => true,
      })
      return {
        status: answer.status,
        statusText: answer.statusText,
        headers: Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, String(value)])),
        body: answer.data,
      }
    },
  }
}
