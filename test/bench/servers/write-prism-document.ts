import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { ROOT } from '../root.ts'
import { TEN_PETS } from '../wire.ts'

interface Content {
  examples: Record<string, { value: unknown }>
}

interface Document {
  components: { schemas: Record<string, { examples?: unknown }> }
  paths: Record<string, Record<string, { responses: Record<string, { content: { 'application/json': Content } }> }>>
}

/** Writes the specification with the ten pets, and the updated one, as its examples: what Prism answers with. */
export function writePrismDocument(folder: string): string {
  const file = join(folder, 'prism.json')
  const document = parse(readFileSync(new URL('spec/openapi.yaml', ROOT), 'utf8')) as Document
  const [, second] = TEN_PETS
  // Prism prefers a schema's example to that of an answer.
  for (const schema of Object.values(document.components.schemas)) delete schema.examples
  setExample(document, ['/inventory', 'get'], TEN_PETS)
  setExample(document, ['/inventory/{petId}', 'patch'], { ...second, quantity: 20 })
  writeFileSync(file, JSON.stringify(document))
  return file
}

function setExample(document: Document, [path, method]: [string, string], value: unknown): void {
  const content = document.paths[path]?.[method]?.responses['200']?.content['application/json']
  if (content === undefined) throw new Error(`Failed to write a document for Prism: ${method} ${path} has no answer.`)
  content.examples = { only: { value } }
}
