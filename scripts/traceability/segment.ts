/**
 * Cuts the document into its smallest claims: sentences and table rows. A requirement or an exclusion cites one of them
 * by section, place and hash, so that a changed sentence is noticed although the project does not hold it.
 *
 * @module
 */

import { createHash } from 'node:crypto'

/** One sentence or table row. */
export interface Segment {
  /** Number of its heading, `2.4` for example. `0` before the first numbered heading. */
  section: string
  /** Where in the section: `row page`, `item 2 bullet 1`, `paragraph 3 sentence 2`. Unique in its section. */
  place: string
  /** Whitespace collapsed, without marks of emphasis and code. */
  text: string
  /** First eight hex digits of the SHA-256 of `text`. */
  hash: string
}

interface Position {
  section: string
  paragraphs: number
  bullets: number
  /** Number of the list item that indented bullets belong to. */
  item: string
}

const HEADING = /^#+ +(?:(\d+(?:\.\d+)*)\.? +)?\S/
const BULLET = /^( *)- +(.*)$/
const NUMBERED = /^(\d+)\. +(.*)$/
const TABLE = /^\|/
const TABLE_RULE = /^\|(?:\s*:?-+:?\s*\|)+\s*$/

/** Headings and the column names of tables are not claims, and produce no segment. */
export function segment(markdown: string): Segment[] {
  const out: Segment[] = []
  const at: Position = { section: '0', paragraphs: 0, bullets: 0, item: '' }
  for (const block of blocks(markdown)) {
    const [first = ''] = block
    const heading = HEADING.exec(first)
    if (heading) {
      Object.assign(at, { section: heading[1] ?? '0', paragraphs: 0, bullets: 0, item: '' })
    } else if (TABLE.test(first)) {
      out.push(...tableRows(block, at.section))
    } else {
      out.push(...sentences(block.join(' '), at))
    }
  }
  return out
}

/** The text that is hashed. */
export function normalize(text: string): string {
  return text.replace(/[`*]/g, '').replace(/\s+/g, ' ').trim()
}

/** First eight hex digits of the SHA-256 of a text that is already normalized. */
export function sentenceHash(normalized: string): string {
  return createHash('sha256').update(normalized).digest('hex').slice(0, 8)
}

/** Lines that belong together: a heading, a list item with its continuation, a whole table, a paragraph. */
function blocks(markdown: string): string[][] {
  const out: string[][] = []
  let open: string[] | undefined
  for (const line of markdown.split(/\r?\n/)) {
    if (line.trim() === '') {
      open = undefined
    } else if (HEADING.test(line)) {
      out.push([line])
      open = undefined
    } else if (open === undefined || startsBlock(line, open)) {
      open = [line]
      out.push(open)
    } else {
      open.push(line)
    }
  }
  return out
}

function startsBlock(line: string, open: string[]): boolean {
  if (TABLE.test(line)) return !TABLE.test(open[0] ?? '')
  return TABLE.test(open[0] ?? '') || BULLET.test(line) || NUMBERED.test(line)
}

function tableRows(lines: string[], section: string): Segment[] {
  const rule = lines.findIndex((line) => TABLE_RULE.test(line))
  const rows = lines.slice(rule + 1).map(cells)
  const alone = (name: string | undefined) => rows.filter(([first]) => first === name).length === 1
  return rows.map((row) => {
    return toSegment(section, `row ${rowName(row, alone(row[0]))}`, row.join(' | '))
  })
}

/** The first cell; of endpoints the method with the path, without what all paths have in common. */
function rowName([first = '', second = '']: string[], alone: boolean): string {
  if (alone && !/^[A-Z]+$/.test(first)) return first
  return `${first} ${second.replace(/^\/api\/v1\/(collections\/\{table\}\/)?/, '')}`
}

function cells(row: string): string[] {
  return row.trim().replace(/^\|/, '').replace(/\|$/, '').split('|').map(normalize)
}

function sentences(block: string, at: Position): Segment[] {
  const { place, text } = placed(block, at)
  const parts = normalize(text).split(/(?<=[.!?]) (?=[A-Z<{])/)
  return parts.map((part, index) =>
    toSegment(at.section, parts.length === 1 ? place : `${place} sentence ${index + 1}`, part),
  )
}

/** Names the block's place and moves the position on. */
function placed(block: string, at: Position): { place: string; text: string } {
  const numbered = NUMBERED.exec(block)
  if (numbered) {
    Object.assign(at, { item: `item ${numbered[1]} `, bullets: 0 })
    return { place: `item ${numbered[1]}`, text: numbered[2] ?? '' }
  }
  const bullet = BULLET.exec(block)
  if (bullet) {
    const owner = bullet[1] === '' ? '' : at.item
    at.bullets += 1
    return { place: `${owner}bullet ${at.bullets}`, text: bullet[2] ?? '' }
  }
  at.paragraphs += 1
  return { place: `paragraph ${at.paragraphs}`, text: block }
}

function toSegment(section: string, place: string, text: string): Segment {
  return { section, place, text, hash: sentenceHash(text) }
}
