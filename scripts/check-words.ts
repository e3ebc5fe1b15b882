/**
 * Step of `npm run check`: finds words that texts for users must not contain (`words.ts`). It reads README.md, the pages
 * in `docs/`, the YAML and JSON of `spec/`, and string literals of the folders whose messages users see, not their comments.
 *
 * @module
 */

import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { projectTexts } from '../test/traceability/project-texts.ts'
import { type Exemption, NOT_YET, WORDS } from './words.ts'

/** Pages in `docs/decisions/` and `docs/results/` are records of their day. */
const READ =
  /^(?:README\.md|docs\/[^/]+\.md|spec\/(?:profile\/)?[^/]+\.(?:yaml|json)|(?:cli|exchange|harness|integrations|serve|spec|suites|validate)\/.+\.ts)$/
const SKIPPED = /\.test\.ts$|\/generated\//

export interface Found {
  path: string
  line: number
  /** Name in `WORDS`. */
  word: string
  /** The words as they are in the file. */
  text: string
  write: string
}

/** The words in one file: anywhere in a text but its code, in the literals of TypeScript and JSON. */
export function findWords(path: string, content: string): Found[] {
  const parts = /\.(?:ts|json)$/.test(path)
    ? literals(path, content)
    : [{ start: 0, text: withoutCode(content) }]
  return parts
    .flatMap(({ start, text }) =>
      WORDS.flatMap(({ word, pattern, write }) =>
        [...text.matchAll(spaced(pattern))].map((match) => {
          const line = content.slice(0, start + match.index).split('\n').length
          return { path, line, word, text: match[0].replace(/\s+/g, ' '), write }
        }),
      ),
    )
    .sort((one, other) => one.line - other.line)
}

/** What is found in files where it is enforced, and the exemptions of which nothing is left. */
export function enforce(
  found: readonly Found[],
  exemptions: readonly Exemption[] = NOT_YET,
): { errors: Found[]; unused: string[] } {
  const covers = ({ under, words }: Exemption, { path, word }: Found) =>
    path.startsWith(under) && words.includes(word)
  return {
    errors: found.filter((each) => !exemptions.some((exemption) => covers(exemption, each))),
    unused: exemptions.flatMap(({ under, words }) =>
      words
        .filter((word) => !found.some((each) => each.path.startsWith(under) && each.word === word))
        .map((word) => `${under}: "${word}"`),
    ),
  }
}

/** @example `suites/a.ts:12: "nobody": write "no one, or name them"` */
export function describe({ path, line, text, write }: Found): string {
  return `${path}:${line}: "${text}": write "${write}"`
}

/** A line may break between two words. */
function spaced({ source }: RegExp): RegExp {
  return new RegExp(source.replaceAll(' ', '\\s+'), 'gi')
}

/** Names in code are those of an API. As long as before, so that the lines stay. */
function withoutCode(text: string): string {
  return text.replace(/```[\s\S]*?```|`[^`\n]*`/g, (code) => code.replace(/[^\n]/g, '`'))
}

/** The source text of each literal, so that its lines are those of the file. A literal of one word is an id or a value. */
function literals(path: string, content: string): { start: number; text: string }[] {
  const source = ts.createSourceFile(path, content, ts.ScriptTarget.Latest)
  const found: { start: number; text: string }[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return
    if (ts.isStringLiteral(node) || ts.isTemplateLiteralToken(node)) {
      const start = node.getStart(source)
      const text = content.slice(start, node.getEnd())
      // A template begins with the mark of code itself.
      if (/\s/.test(text)) found.push({ start, text: ts.isStringLiteral(node) ? withoutCode(text) : text })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const files = projectTexts(['.md', '.yaml', '.json', '.ts']).filter(
    ({ path }) => READ.test(path) && !SKIPPED.test(path),
  )
  const { errors, unused } = enforce(files.flatMap(({ path, text }) => findWords(path, text)))
  for (const error of errors) console.error(describe(error))
  for (const each of unused) console.log(`scripts/words.ts: nothing is left, remove it from NOT_YET: ${each}`)
  if (errors.length > 0) process.exitCode = 1
}
