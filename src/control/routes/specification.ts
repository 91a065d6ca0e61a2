import { type BaseUrl, DEFAULT_BASE_URL, writeBaseUrl } from '../../http/base-url.ts'
import { createJsonResponse, createResponse } from '../../http/wire-response.ts'
import type { ControlRoute } from './control-route.ts'

// The document is as large as the rest of the mock: it is loaded when somebody asks for it.
const loadDocument = () => import('../../contract/document.gen.ts')

export const specificationJson: ControlRoute = {
  method: 'GET',
  path: '/spec.json',
  async answer({ base }) {
    const { SPECIFICATION_JSON: json } = await loadDocument()
    if (isDefault(base)) return createJsonResponse(200, json)
    const servers = [{ url: writeBaseUrl(base) }]
    return createJsonResponse(200, JSON.stringify({ ...(JSON.parse(json) as object), servers }))
  },
}

/** The document of the control API itself. */
export const controlDocument: ControlRoute = {
  method: 'GET',
  path: '/openapi.json',
  answer: async () =>
    createJsonResponse(200, (await import('../../contract/control-document.gen.ts')).CONTROL_DOCUMENT_JSON),
}

/** `application/yaml`: RFC 9512. */
export const specificationYaml: ControlRoute = {
  method: 'GET',
  path: '/spec.yaml',
  async answer({ base }) {
    const { SPECIFICATION_YAML: yaml } = await loadDocument()
    const served = isDefault(base) ? yaml : replaceServers(yaml, writeBaseUrl(base))
    return createResponse(200, served, { 'content-type': 'application/yaml' })
  },
}

function isDefault(base: BaseUrl): boolean {
  return writeBaseUrl(base) === DEFAULT_BASE_URL
}

/** JSON is YAML, so an address in JSON needs no quoting of its own. */
function replaceServers(yaml: string, url: string): string {
  return yaml.replace(/^servers:\n(?: .*\n)+/m, () => `servers:\n  - url: ${JSON.stringify(url)}\n`)
}
