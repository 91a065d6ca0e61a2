import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { toCode, toHead, toPage, toTable } from './markdown.ts'

const ROOT = new URL('../../', import.meta.url)
const INTRO = `Every export of the package, with its options, members and defaults, from the types in the source. The package is
ESM-only and its types need no other library. \`@throws\` notes name the code of the [MockError](#mockerror).`

/** Generated from the specification; the document itself is the better reference. */
const GENERATED = 'src/contract/openapi.gen.ts'

/** `docs/reference/api.md`, from the types of every entry of the package. */
export function toApiReference(): string {
  const { name, exports } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as Manifest
  const entries = Object.entries(exports).flatMap(([path, target]) => {
    if (typeof target === 'string') return []
    const file = fileURLToPath(new URL(target.types.replace('./dist/types/', 'src/').replace(/\.d\.ts$/, '.ts'), ROOT))
    return [{ entry: path.replace('.', name), file }]
  })
  const program = ts.createProgram(
    entries.map(({ file }) => file),
    { allowImportingTsExtensions: true, noEmit: true, types: [], module: ts.ModuleKind.NodeNext },
  )
  const checker = program.getTypeChecker()
  const shown = new Set<string>()
  const sections = entries.flatMap(({ entry, file }) => {
    const source = program.getSourceFile(file)
    const module = source && checker.getSymbolAtLocation(source)
    if (module === undefined) throw new Error(`${file} is not a module`)
    const found = checker.getExportsOfModule(module).map((each) => resolveAlias(checker, each))
    const fresh = found.filter((symbol) => isOwn(symbol) && !shown.has(toId(symbol)))
    const again = found.filter((symbol) => isOwn(symbol) && shown.has(toId(symbol)))
    for (const symbol of fresh) shown.add(toId(symbol))
    const links = again.map(({ name: other }) => `[${other}](#${toAnchor(other)})`)
    return [
      `## ${entry}`,
      ...sort(fresh).flatMap((symbol) => describeSymbol(symbol, checker)),
      links.length === 0 ? '' : `Also exports ${links.join(', ')}.`,
    ]
  })
  return toPage([toHead('Package', INTRO), ...sections])
}

interface Manifest {
  readonly name: string
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>
}

function resolveAlias(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
  return (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol)
}

function isOwn(symbol: ts.Symbol): boolean {
  const declaration = getDeclaration(symbol)
  const isInternal = ts.getJSDocTags(declaration).some(({ tagName }) => tagName.text === 'internal')
  return !isInternal && !declaration.getSourceFile().fileName.endsWith(GENERATED)
}

function toId(symbol: ts.Symbol): string {
  return `${getDeclaration(symbol).getSourceFile().fileName}#${symbol.name}`
}

function getDeclaration(symbol: ts.Symbol): ts.Declaration {
  const [declaration] = symbol.declarations ?? []
  if (declaration === undefined) throw new Error(`${symbol.name} has no declaration`)
  return declaration
}

/** Functions first, then constants, classes and types; each by name. */
function sort(symbols: readonly ts.Symbol[]): ts.Symbol[] {
  const kinds = [ts.SymbolFlags.Function, ts.SymbolFlags.Variable, ts.SymbolFlags.Class, ts.SymbolFlags.Type]
  const toRank = ({ flags }: ts.Symbol): number => kinds.findIndex((kind) => (flags & kind) !== 0)
  return symbols.toSorted((a, b) => toRank(a) - toRank(b) || a.name.localeCompare(b.name))
}

function describeSymbol(symbol: ts.Symbol, checker: ts.TypeChecker): string[] {
  const declaration = getDeclaration(symbol)
  return [
    `### ${symbol.name}`,
    describeDeclaration(declaration, checker),
    toTable(['member', 'type', 'meaning'], listMembers(declaration)),
  ]
}

function describeDeclaration(node: ts.Declaration, checker: ts.TypeChecker): string {
  const about = explain(node)
  if (ts.isFunctionDeclaration(node)) return `${toCode(toSignature(node))}\n\n${about}`
  if (ts.isVariableDeclaration(node)) return `${about}\n\n${listValues(node)}`
  if (ts.isTypeAliasDeclaration(node)) return `${about}\n\n${toCode(toAliasText(node, checker))}`
  if (!ts.isInterfaceDeclaration(node)) return about
  const bases = node.heritageClauses?.flatMap(({ types }) => types.map(toText)) ?? []
  return bases.length === 0 ? about : `${about}\n\nExtends ${bases.map(toCode).join(', ')}.`
}

/** The values of a constant list or table. */
function listValues({ initializer }: ts.VariableDeclaration): string {
  const value = unwrap(initializer)
  if (value === undefined) return ''
  if (ts.isArrayLiteralExpression(value)) return value.elements.map((each) => toCode(toText(each))).join(', ')
  if (!ts.isObjectLiteralExpression(value)) return ''
  return value.properties.map((each) => toCode(toText(each))).join(', ')
}

/** Without `as const` and `satisfies`. */
function unwrap(value: ts.Expression | undefined): ts.Expression | undefined {
  if (value === undefined) return undefined
  return ts.isAsExpression(value) || ts.isSatisfiesExpression(value) ? unwrap(value.expression) : value
}

/** A type that is derived from a constant is written out. */
function toAliasText({ type, name }: ts.TypeAliasDeclaration, checker: ts.TypeChecker): string {
  if (!/typeof/.test(toText(type))) return toText(type)
  const { InTypeAlias, NoTruncation } = ts.TypeFormatFlags
  return checker.typeToString(checker.getTypeAtLocation(name), undefined, InTypeAlias | NoTruncation)
}

function listMembers(node: ts.Declaration): string[][] {
  if (ts.isTypeAliasDeclaration(node) && ts.isTypeLiteralNode(node.type))
    return node.type.members.map((member) => describeMember(member))
  if (ts.isInterfaceDeclaration(node)) return node.members.map((member) => describeMember(member, explain(member)))
  if (!ts.isClassDeclaration(node)) return []
  return node.members
    .filter((member) => ts.isPropertyDeclaration(member) && readComment(member) !== '')
    .map((member) => describeMember(member))
}

function describeMember(member: ts.TypeElement | ts.ClassElement, about = readComment(member)): string[] {
  const name = member.name === undefined ? '' : toText(member.name)
  const isOptional = ts.isPropertySignature(member) && member.questionToken !== undefined
  const type = ts.isMethodSignature(member)
    ? toSignature(member)
    : ts.isPropertySignature(member) || ts.isPropertyDeclaration(member)
      ? toText(member.type)
      : ''
  return [`${toCode(name)}${isOptional ? ' (optional)' : ''}`, toCode(type), about]
}

function toSignature(node: ts.FunctionDeclaration | ts.MethodSignature): string {
  const parameters = node.parameters.map(({ name, questionToken, initializer, type, dotDotDotToken }) => {
    const mark = (questionToken ?? initializer) ? '?' : ''
    return `${dotDotDotToken ? '...' : ''}${toText(name)}${mark}: ${toText(type)}`
  })
  const result = node.type === undefined ? '' : `: ${toText(node.type)}`
  return `${node.name === undefined ? '' : toText(node.name)}(${parameters.join(', ')})${result}`
}

function toText(node: ts.Node | undefined): string {
  return (node?.getText() ?? '').replaceAll(/\/\*\*[\s\S]*?\*\//g, '').replaceAll(/\s+/g, ' ')
}

/** @throws {Error} for a public name, or a member of one, without a docstring. */
function explain(node: ts.Declaration): string {
  const about = readComment(node)
  if (about !== '') return about
  const [first = ''] = node.getText().split('\n')
  throw new Error(`${node.getSourceFile().fileName}: a public name has no docstring: ${first}`)
}

/** The text of a docstring with its default and errors, without examples. */
function readComment(node: ts.Node): string {
  const [doc] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc).toReversed()
  if (doc === undefined) return ''
  const notes = (doc.tags ?? []).flatMap((tag) => {
    const text = toPlain(ts.getTextOfJSDocComment(tag.comment))
    const type = tag.tagName.text === 'throws' ? readThrown(tag) : ''
    if (tag.tagName.text === 'default') return [`Default: ${toStandard(text)}.`]
    if (tag.tagName.text === 'throws') return [`Throws ${`${type} ${text}`.trim().replace(/\.$/, '')}.`]
    if (ts.isJSDocParameterTag(tag)) return [`${toCode(toText(tag.name))}: ${text}`]
    return []
  })
  return [toPlain(ts.getTextOfJSDocComment(doc.comment)), ...notes].filter((part) => part !== '').join(' ')
}

function readThrown(tag: ts.JSDocTag): string {
  const expression = (tag as ts.JSDocThrowsTag).typeExpression
  return expression === undefined ? '' : toCode(toText(expression.type))
}

/** A value is code; a sentence is not. */
function toStandard(text: string): string {
  return / /.test(text) && !/^[{[]/.test(text) ? text : toCode(text)
}

function toPlain(text = ''): string {
  return text
    .replaceAll(/\{@link (\w+)\}/g, '`$1`')
    .replaceAll('\r', '')
    .trim()
}

function toAnchor(name: string): string {
  return name.toLowerCase()
}
