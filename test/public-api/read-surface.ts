/**
 * The public API of the package, read from the declarations that users get: `dist/**\/*.d.ts`.
 *
 * @module
 */

import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { entries } from '../../scripts/entries.ts'

const dist = fileURLToPath(new URL('../../dist/', import.meta.url))

export interface Exported {
  name: string
  /** Whether there is something to import at run time, too. */
  isValue: boolean
  /** Its declarations without comments, and the name under which it is exported if that is another. */
  text: string
  /** Types of the package in its declarations that no entry exports. */
  unnamed: string[]
  /** What of it has no summary: the name itself, or `Name.member`. */
  undocumented: string[]
  /** Optional members, as `Name.member`, whose comment does not say what holds without them. */
  withoutDefault: string[]
  isFunction: boolean
  /** The `@example` of its doc comment, as written there. */
  example: string | undefined
}

export interface EntrySurface {
  /** As users import it. */
  entry: string
  exports: Exported[]
}

/** All entries of the package, with their exports by name. */
export function readSurface(): EntrySurface[] {
  const paths = entries.map(({ source }) => dist + source.replace(/\.ts$/, '.d.ts'))
  const program = ts.createProgram(paths, {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts'],
    types: ['node'],
    skipLibCheck: true,
  })
  const checker = program.getTypeChecker()
  const resolved = (symbol: ts.Symbol) =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  const exportsOf = (path: string) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(path) as ts.SourceFile)
    if (module === undefined) throw new Error(`${path} exports nothing.`)
    return checker.getExportsOfModule(module)
  }
  const named = new Set(paths.flatMap((path) => exportsOf(path).map(resolved)))

  /**
   * Types of ours that a declaration refers to and that have no public name. Users name the result of a conditional
   * type by its alias, so the types that it is computed from need no name.
   */
  function unnamedIn(node: ts.Node): string[] {
    const found: string[] = []
    const visit = (part: ts.Node): void => {
      if (ts.isConditionalTypeNode(part)) return
      const name = typeNameIn(part)
      const symbol = name && checker.getSymbolAtLocation(name)
      if (name !== undefined && symbol !== undefined && isOurs(resolved(symbol)))
        if (!named.has(resolved(symbol))) found.push(name.getText())
      ts.forEachChild(part, visit)
    }
    visit(node)
    return found
  }

  function exampleOf(symbol: ts.Symbol): string | undefined {
    const tag = symbol.getJsDocTags(checker).find(({ name }) => name === 'example')
    return tag && ts.displayPartsToString(tag.text)
  }

  return entries.map(({ name }, at) => ({
    entry: name,
    exports: exportsOf(paths[at] ?? '')
      .map((symbol) => {
        const { flags, declarations = [] } = resolved(symbol)
        const ours = declarations.filter((each) => each.getSourceFile().fileName.startsWith(dist))
        return {
          name: symbol.name,
          isValue: (flags & ts.SymbolFlags.Value) !== 0,
          text: ours.map((declaration) => printed(declaration, symbol.name)).join('\n'),
          unnamed: [...new Set(ours.flatMap(unnamedIn))].sort(),
          undocumented: ours.flatMap((declaration) => undocumentedIn(declaration, symbol.name)),
          withoutDefault: ours.flatMap((declaration) => withoutDefaultIn(declaration, symbol.name)),
          isFunction: (flags & ts.SymbolFlags.Function) !== 0,
          example: exampleOf(resolved(symbol)),
        }
      })
      .sort((one, other) => (one.name < other.name ? -1 : 1)),
  }))
}

/** A type parameter is named where it is declared. */
const isOurs = ({ flags, declarations = [] }: ts.Symbol) =>
  !(flags & ts.SymbolFlags.TypeParameter) &&
  declarations.some((each) => each.getSourceFile().fileName.startsWith(dist))

function typeNameIn(node: ts.Node): ts.Node | undefined {
  if (ts.isTypeReferenceNode(node)) return node.typeName
  if (ts.isExpressionWithTypeArguments(node)) return node.expression
  if (ts.isImportTypeNode(node)) return node.qualifier
  return undefined
}

const printer = ts.createPrinter({ removeComments: true })

/** A constant together with the statement that declares it. */
function statementOf(declaration: ts.Declaration): ts.Node {
  return ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration
}

/** A declaration under the name by which users import it. */
function printed(declaration: ts.Declaration, exported: string): string {
  const text = printer.printNode(
    ts.EmitHint.Unspecified,
    statementOf(declaration),
    declaration.getSourceFile(),
  )
  const declared = ts.getNameOfDeclaration(declaration)?.getText()
  return declared === undefined || declared === exported
    ? text
    : `${text}\nexport { ${declared} as ${exported} };`
}

/** Names of the declaration and of its members, however deep, that have no summary. */
function undocumentedIn(declaration: ts.Declaration, name: string): string[] {
  return [
    ...(hasSummary(statementOf(declaration)) ? [] : [name]),
    ...membersOf(declaration, name).flatMap(({ path, member }) => (hasSummary(member) ? [] : [path])),
  ]
}

/** Names of the optional members, however deep, that have no `@default`. */
function withoutDefaultIn(declaration: ts.Declaration, name: string): string[] {
  return membersOf(declaration, name).flatMap(({ path, member }) =>
    member.questionToken === undefined || hasDefault(member) ? [] : [path],
  )
}

function hasDefault(node: ts.Node): boolean {
  return ts.getJSDocTags(node).some(({ tagName }) => tagName.text === 'default')
}

/** The members of a declaration, however deep, with their paths: `Name.member`. */
function membersOf(declaration: ts.Declaration, name: string) {
  const found: { path: string; member: Member }[] = []
  const visit = (node: ts.Node, path: string): void => {
    ts.forEachChild(node, (part) => {
      if (!isMember(part)) return visit(part, path)
      const own = `${path}.${part.name?.getText() ?? 'constructor'}`
      found.push({ path: own, member: part })
      visit(part, own)
    })
  }
  visit(declaration, name)
  return found
}

type Member = (ts.TypeElement | ts.ClassElement) & { questionToken?: ts.QuestionToken | undefined }

/** A property, method or constructor that users can reach. */
function isMember(node: ts.Node): node is Member {
  const isElement = ts.isTypeElement(node) || ts.isClassElement(node)
  if (!isElement || ts.isIndexSignatureDeclaration(node)) return false
  if (node.name !== undefined && (ts.isPrivateIdentifier(node.name) || ts.isComputedPropertyName(node.name)))
    return false
  return !(ts.getCombinedModifierFlags(node as ts.Declaration) & ts.ModifierFlags.Private)
}

/** Whether the comment begins with a sentence: a capital or a name in code at its begin, and a full stop. */
function hasSummary(node: ts.Node): boolean {
  const comments = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc)
  const text = ts.getTextOfJSDocComment(comments.at(-1)?.comment) ?? ''
  return /^[A-Z`"'\d].*[.?:)]/s.test(text.trim())
}
