import * as v from 'valibot'
import type { ControlQuery } from '../../contract/control-types.ts'
import type { OpenApiVersion } from '../../contract/document.gen.ts'
import { type BaseUrls, DEFAULT_BASE_URL, writeBaseUrl } from '../../http/base-url.ts'
import { object, oneOf, type Schema } from '../../http/schema.ts'
import { createResponse } from '../../http/wire-response.ts'
import { type ControlRoute, defineControlRoute } from './define-control-route.ts'
import { parseRequest } from './read-json.ts'

// Loaded on demand: the document is as large as the rest of the mock.
const loadDocument = () => import('../../contract/document.gen.ts')

export const getServiceDocument: ControlRoute<'getServiceDocument'> = defineControlRoute(
  'getServiceDocument',
  async ({ bases, query }) => {
    const json = (await loadDocument()).SPECIFICATION_JSON[toVersion(query)]
    if (isDefault(bases)) return { status: 200, text: json }
    const servers = bases.map((base) => ({ url: writeBaseUrl(base) }))
    return { status: 200, text: JSON.stringify({ ...(JSON.parse(json) as object), servers }) }
  },
)

/** The OpenAPI document of the control API itself. */
export const getControlDocument: ControlRoute<'getControlDocument'> = defineControlRoute(
  'getControlDocument',
  async () => ({ status: 200, text: (await import('../../contract/control-document.gen.ts')).CONTROL_DOCUMENT_JSON }),
)

/** Served as `application/yaml` (RFC 9512). */
export const getServiceDocumentYaml: ControlRoute<'getServiceDocumentYaml'> = defineControlRoute(
  'getServiceDocumentYaml',
  async ({ bases, query }) => {
    const yaml = (await loadDocument()).SPECIFICATION_YAML[toVersion(query)]
    const served = isDefault(bases) ? yaml : replaceServers(yaml, bases)
    return createResponse(200, served, { 'content-type': 'application/yaml' })
  },
)

const QUERY: Schema<{ readonly openapi: OpenApiVersion }> = object({
  openapi: v.optional(oneOf(['3.1', '3.0']), '3.1'),
})

function toVersion(query: ControlQuery<'getServiceDocument'>): OpenApiVersion {
  return parseRequest(QUERY, query, 'The query').openapi
}

function isDefault(bases: BaseUrls): boolean {
  return bases.every((base) => writeBaseUrl(base) === DEFAULT_BASE_URL)
}

/** Every JSON string is valid YAML, so `JSON.stringify` quotes the addresses correctly. */
function replaceServers(yaml: string, bases: BaseUrls): string {
  const servers = bases.map((base) => `  - url: ${JSON.stringify(writeBaseUrl(base))}\n`).join('')
  return yaml.replace(/^servers:\n(?: .*\n)+/m, () => `servers:\n${servers}`)
}
