/**
 * Regular expressions of the code that reads what others wrote take a time that grows with the length of the text, not
 * with its square: each is applied to long strings of its own pieces.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { inSample } from '../scripts/support/in-full.ts'
import { slowness } from '../scripts/support/slowness.ts'
import { timed } from '../scripts/support/timed.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Applied to strings of our own, of the caller or of limited length, or only up to where the last match ends. */
const exempt: Readonly<Record<string, string>> = {
  'validate/proxy/proxy.ts': 'the address of the upstream server',
  'validate/proxy/upgrade.ts': 'the address of the upstream server',
  'harness/explore/missing-operations.ts': 'paths of the interface',
  'harness/explore/no-response.ts': 'the address of the target',
  'harness/report/wrapped.ts': 'a string of at most 1,000 characters',
  'harness/services/email-reading.ts': 'up to the last end',
  'harness/target/checked-url.ts': 'the address of the target',
  'harness/wire/send.ts': 'the address of the target',
  'harness/wire/transport.ts': 'the address of the target',
  'reference/query/excerpt.ts': 'up to the last end',
  'reference/fields/date.ts': 'a date that was written here',
  'reference/query/sql-value.ts': 'a number that was written here',
  'reference/auth/mail/compose.ts': 'a template of the options; what it inserts is escaped',
  'serve/load-data.ts': 'messages about the data file',
}
const rooms = ['exchange', 'validate', 'harness', 'reference', 'serve']
const usual = ['a', 'a ', '1', ' ', '\r\n', '"', '\\"', '<', '/', '.', '-', ':', '=', '%', ',']

interface Pattern {
  place: string
  source: string
  flags: string
}

function patternsIn(file: string): Pattern[] {
  const found: Pattern[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const at = node.text.lastIndexOf('/')
      found.push({ place: file, source: node.text.slice(1, at), flags: node.text.slice(at + 1) })
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest))
  return found
}

/** What the pattern matches, whole and begun, and what it is written with. */
function piecesOf({ source, flags }: Pattern): string[] {
  const runs = source.replace(/\\[wdsSWDb]/g, 'a').match(/[\w<"=:@-]{2,}/g) ?? []
  const pieces = [...usual, ...runs, ...runs.map((run) => `${run} `)]
  try {
    const plain = new RegExp(source.replace(/\(\?<?[=!][^()]*\)|\\b/g, ''), flags.replace(/[gy]/g, ''))
    for (const text of fc.sample(fc.stringMatching(plain, { maxLength: 40 }), { numRuns: 3, seed: 1 }))
      pieces.push(text, text.slice(0, -1))
  } catch {
    // Not every pattern can be generated from.
  }
  return [...new Set(pieces)].filter((piece) => piece !== '')
}

/** Milliseconds for a text of about this length. */
function costOf({ source, flags }: Pattern, piece: string, length: number): number {
  const pattern = new RegExp(source, flags.includes('g') ? flags : `${flags}g`)
  const text = `${piece.repeat(length / piece.length)}\u0001`
  return timed(() => text.replace(pattern, ''))[1]
}

/** From small to large, so that nothing takes seconds. What happens once is not the pattern. */
function isSlow(pattern: Pattern, piece: string): boolean {
  const slow = (length: number) => {
    const cost = Math.min(...[1, 2].map(() => costOf(pattern, piece, length)))
    return cost > 12 && cost / slowness() > 12
  }
  return [500, 2_000, 8_000, 40_000].some(slow)
}

it.each(rooms)('no text makes a pattern of %s slow', (room) => {
  const files = readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
    .map((name) => `${room}/${name}`)
    .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|generated/.test(file) && !(file in exempt))
  const patterns = files.flatMap(patternsIn).filter(({ source }) => /[*+]|\{\d+,\}/.test(source))
  expect(patterns.length).toBeGreaterThan(0)
  const slow = patterns.filter(inSample(3)).flatMap((pattern) =>
    piecesOf(pattern)
      .filter((piece) => isSlow(pattern, piece))
      .map((piece) => `${pattern.place}: /${pattern.source}/ on ${JSON.stringify(piece)}`),
  )
  expect(slow).toEqual([])
})
