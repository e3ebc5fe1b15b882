/**
 * Step of `npm run check`: finds words that texts must not contain (`words.ts`). It reads the Markdown of the project, the
 * YAML and JSON of `spec/`, and the string literals of every room but those of tests. In the folders of
 * `COMMENT_FOLDERS` it also reads comments and titles of tests, in JavaScript as well. Words with `inCode` are found in
 * names, too.
 *
 * @module
 */

import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { projectTexts } from './traceability/project-texts.ts'
import { COMMENT_FOLDERS, WORDS } from './words.ts'

const READ =
  /^(?:[A-Z]+\.md|(?:docs|\w+)\/(?:.+\/)?[\w-]+\.md|spec\/(?:profile\/)?[^/]+\.(?:yaml|json)|(?:cli|exchange|examples|harness|integrations|openapi|proofs|reference|scripts|serve|spec|suites|targets|validate)\/.+\.[jt]s)$/
/** Results are records of their day, and pages of the API are generated from comments. The list names its own words. */
const SKIPPED =
  /\.test\.[jt]s$|^docs\/(?:results|api)\/|^(?!proofs).*\/generated\/|^scripts\/(?:check-words|words)\.ts$/

/** `WORDS`, where a line may break between two words. */
const SPACED = WORDS.map((each) => ({
  ...each,
  pattern: new RegExp(each.pattern.source.replaceAll(' ', '\\s+'), 'gi'),
}))

export interface Found {
  path: string
  line: number
  /** Name in `WORDS`. */
  word: string
  /** The words as they are in the file. */
  text: string
  write: string
}

/** A piece of a file that is searched, with the index where it starts. */
interface Part {
  start: number
  text: string
}

/** Whether the file is in a folder whose comments are read. */
function hasReadComments(path: string, folders: readonly string[] = COMMENT_FOLDERS): boolean {
  return folders.some((folder) => path.startsWith(folder)) && !SKIPPED.test(path.replace('.test.', '.'))
}

/** Whether the file contains texts for users. */
function isForUsers(path: string): boolean {
  return READ.test(path) && !SKIPPED.test(path)
}

/**
 * The words in one file: anywhere in a text but its code, in the literals of TypeScript and JSON, and those with `inCode`
 * everywhere.
 *
 * @param folders in which comments and titles of tests are also read
 */
export function findWords(path: string, content: string, folders?: readonly string[]): Found[] {
  // Most files contain none of the words anywhere, and reading their parts takes longer than this search.
  const whole = withoutMargins(content)
  const inFile = SPACED.filter(({ pattern }) => whole.search(pattern) >= 0)
  if (inFile.length === 0) return []
  const words = inFile.filter(({ inCode }) => inCode !== true)
  const parts = words.length === 0 ? [] : partsOf(path, content, hasReadComments(path, folders))
  return [
    ...parts.map((part) => ({ ...part, searched: words })),
    { start: 0, text: content, searched: inFile.filter(({ inCode }) => inCode === true) },
  ]
    .flatMap(({ start, text, searched }) =>
      searched.flatMap(({ word, pattern, write }) =>
        [...text.matchAll(pattern)].map((match) => {
          const line = content.slice(0, start + match.index).split('\n').length
          return { path, line, word, text: match[0].replace(/\s+/g, ' '), write }
        }),
      ),
    )
    .sort((one, other) => one.line - other.line)
}

/** @example `suites/a.ts:12: "nobody": write "no one, or name them"` */
export function describe({ path, line, text, write }: Found): string {
  return `${path}:${line}: "${text}": write "${write}"`
}

/** Names in code belong to an API. As long as before, so that the lines stay. */
function withoutCode(text: string): string {
  return text.replace(/```[\s\S]*?```|`[^`\n]*`/g, (code) => code.replace(/[^\n]/g, '`'))
}

/** The margins of comments and the names of parameters become spaces, so that the lines stay. */
function withoutMargins(text: string): string {
  return text.replace(/^[ \t]*(?:\*|\/\/)|@param \w+/gm, (skipped) => ' '.repeat(skipped.length))
}

function partsOf(path: string, content: string, readComments: boolean): Part[] {
  if (!/\.(?:[jt]s|json)$/.test(path)) return [{ start: 0, text: withoutCode(content) }]
  const source = ts.createSourceFile(path, content, ts.ScriptTarget.Latest)
  return [
    ...(isForUsers(path) ? literals(source) : []),
    ...(readComments && !path.endsWith('.json') ? comments(source) : []),
    ...(readComments && path.endsWith('.test.ts') ? titles(source) : []),
  ]
}

/** The source text of each literal, so that its lines are the lines of the file. A literal of one word is an id or a value. */
function literals(source: ts.SourceFile): Part[] {
  const found: Part[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return
    if (ts.isStringLiteral(node) || ts.isTemplateLiteralToken(node)) {
      const part = literal(node, source)
      if (/\s/.test(part.text)) found.push(part)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function literal(node: ts.StringLiteral | ts.TemplateLiteralToken, source: ts.SourceFile): Part {
  const text = node.getText(source)
  // A template begins with the mark of code itself.
  return { start: node.getStart(source), text: ts.isStringLiteral(node) ? withoutCode(text) : text }
}

/** The text before each token, which is white space and comments. */
function comments(source: ts.SourceFile): Part[] {
  const found: Part[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isJSDoc(node)) return
    const children = node.getChildren(source)
    if (children.length === 0 && node.kind !== ts.SyntaxKind.SyntaxList) {
      const start = node.getFullStart()
      const text = withoutMargins(source.text.slice(start, node.getStart(source)))
      if (text.trim() !== '') found.push({ start, text: withoutCode(text) })
    }
    for (const child of children) visit(child)
  }
  visit(source)
  return found
}

/** The titles of tests and of groups of tests, `each` included. */
function titles(source: ts.SourceFile): Part[] {
  const found: Part[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /^(?:describe|group|it|test)\b/.test(node.expression.getText(source))) {
      const [title] = node.arguments
      if (title && ts.isStringLiteral(title)) found.push(literal(title, source))
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** The words in all files of the project that must not contain them. */
export function checkWords(): Found[] {
  return projectTexts(['.md', '.yaml', '.json', '.ts', '.js'])
    .filter(({ path }) => isForUsers(path) || (hasReadComments(path) && /\.[jt]s$/.test(path)))
    .flatMap(({ path, text }) => findWords(path, text))
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const found = checkWords()
  for (const each of found) console.error(describe(each))
  if (found.length > 0) process.exitCode = 1
}
