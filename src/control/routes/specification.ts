import { createJsonResponse, createResponse } from '../../http/wire-response.ts'
import type { ControlRoute } from './control-route.ts'

// The document is as large as the rest of the mock: it is loaded when somebody asks for it.
const loadDocument = () => import('../../contract/document.gen.ts')

export const specificationJson: ControlRoute = {
  method: 'GET',
  path: '/spec.json',
  answer: async () => createJsonResponse(200, (await loadDocument()).SPECIFICATION_JSON),
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
  answer: async () =>
    createResponse(200, (await loadDocument()).SPECIFICATION_YAML, { 'content-type': 'application/yaml' }),
}
