/**
 * Reads what an email of the interface is about: the code of a one-time password, the proof of a confirmation. The
 * document says nothing about their form. What looks most like one is taken; a target file may say how to find it.
 *
 * @module
 */

import { percentDecoded } from '../../exchange/percent-decoded.ts'
import type { ReceivedEmail } from '../vocabulary/target.ts'

export type ConfirmationKind = 'verification' | 'password-reset' | 'email-change'

type Letter = Pick<ReceivedEmail, 'html' | 'text'> & { subject?: string }

export interface EmailReading {
  /** A regular expression of the target file. Its first group, or all that it matches, is the proof. */
  pattern?: string | undefined
  /** Whether other emails held the word, too: then it is hardly the proof. @default nothing was seen */
  isKnown?: ((word: string) => boolean) | undefined
}

interface Candidate {
  word: string
  score: number
}

const ADDRESS = /(?<![\w.+-])[\w.+-]+@[\w.-]+/g
const LINK = /\bhttps?:\/\/[^\s"'<>)\]]+/g
/** What a code is made of: digits, or capitals and digits, or either in groups, or groups of small letters. */
const CODES: readonly { shape: RegExp; score: number; needs?: 'context' | 'alone' }[] = [
  { shape: /^\d{5,12}$/, score: 3 },
  { shape: /^\d{2,4}(-\d{2,4}){1,3}$/, score: 2, needs: 'context' },
  { shape: /^\d{4}$/, score: 1 },
  { shape: /^(?=.*\d)(?=.*[A-Z])[A-Z\d]{5,12}$/, score: 2 },
  { shape: /^[A-Z\d]{2,8}(-[A-Z\d]{2,8}){1,5}$/, score: 2, needs: 'context' },
  { shape: /^[A-Z]{4,12}$/, score: 1, needs: 'context' },
  { shape: /^[a-z\d]{2,8}(-[a-z\d]{2,8}){1,5}$/, score: 1, needs: 'alone' },
]

function decoded(html: string): string {
  const entities: Record<string, string> = {
    '&lt;': '<',
    '&gt;': '>',
    '&quot;': '"',
    '&#39;': "'",
    '&amp;': '&',
  }
  return html.replace(/&(lt|gt|quot|#39|amp);/g, (entity) => entities[entity] ?? entity)
}

/** Removes markup; the text of each element becomes a line. */
function visibleText(html: string): string {
  const shown = replacedUpTo(html, /<\/style>/gi, /<style[\s\S]*?<\/style>/gi, ' ')
  return decoded(replacedUpTo(shown, />/g, /<[^>]*>/g, '\n'))
}

/**
 * Replaces what a pattern matches up to the last end of one. Behind it nothing ends: a search would run to the end of the
 * text from each beginning.
 */
function replacedUpTo(text: string, end: RegExp, pattern: RegExp, by: string): string {
  const last = [...text.matchAll(end)].at(-1)
  const cut = last === undefined ? 0 : last.index + last[0].length
  return text.slice(0, cut).replace(pattern, by) + text.slice(cut)
}

function wordingOf({ html, text, subject = '' }: Letter): string {
  return `${visibleText(html)}\n${text}\n${subject}`
}

/** Every word of an email that could be a proof, to know it again in others. */
export function wordsOf(mail: Letter): string[] {
  return `${decoded(mail.html)}\n${mail.text}\n${mail.subject ?? ''}`.split(/[^\w.~+=-]+/).filter(Boolean)
}

/** The one-time code: what looks most like one. With a `length` it is a run of so many digits. */
export function emailedCode(
  mail: Letter,
  { length, ...reading }: EmailReading & { length?: number | undefined } = {},
) {
  if (reading.pattern !== undefined) return matched(mail, reading.pattern)
  // A host, a port and an address are made of letters and digits, too.
  const lines = wordingOf(mail).replace(LINK, ' ').replace(ADDRESS, ' ').split('\n')
  const wanted = length === undefined ? CODES : [{ shape: new RegExp(`^\\d{${length}}$`), score: 3 }]
  return best(
    lines.flatMap((line) => codesIn(line.trim(), wanted)),
    reading,
  )
}

function codesIn(line: string, wanted: typeof CODES): Candidate[] {
  return [...line.matchAll(/(?<![\w.-])[A-Za-z\d]+(?:-[A-Za-z\d]+)*(?![\w-]|\.\d)/g)].flatMap(
    ({ 0: word, index }) => {
      const found = wanted.find(({ shape }) => shape.test(word))
      if (found === undefined) return []
      const alone = line === word
      const announced = isAnnounced(line, index)
      if (found.needs === 'alone' && !alone) return []
      if (found.needs === 'context' && !alone && !announced) return []
      const year = /^(19|20)\d\d$/.test(word) ? -2 : 0
      return [{ word, score: found.score + (alone ? 4 : 0) + (announced ? 2 : 0) + year }]
    },
  )
}

/** Whether a colon, or a word that introduces a code, is all that stands between the last word and this place. */
function isAnnounced(line: string, at: number): boolean {
  let from = at
  while (from > 0 && /\W/.test(line.charAt(from - 1))) from -= 1
  return (
    line.slice(from, at).includes(':') ||
    /(?:code|password|pin|is)$/i.test(line.slice(Math.max(0, from - 8), from))
  )
}

/** The proof of an email that confirms something: in a link or, if there is none, a separate word or a code. */
export function emailedToken(
  mail: Letter,
  kind: ConfirmationKind,
  reading: EmailReading = {},
): string | undefined {
  if (reading.pattern !== undefined) return matched(mail, reading.pattern)
  const hrefs = [...mail.html.matchAll(/\bhref\s*=\s*["']?(https?:[^\s"'<>]+)/gi)].map(
    (found) => found[1] ?? '',
  )
  const links = [...hrefs.map(decoded), ...(`${visibleText(mail.html)}\n${mail.text}`.match(LINK) ?? [])]
  const linked = best(
    links.flatMap((link) => partsOf(link, kind)),
    reading,
  )
  return linked ?? best(aloneIn(mail), reading) ?? emailedCode(mail, reading)
}

/** Opaque parts of path, query and fragment. */
function partsOf(link: string, kind: ConfirmationKind): Candidate[] {
  if (/unsubscribe|opt-?out/i.test(link)) return []
  const [, path = ''] = /^https?:\/\/[^/?#]*(.*)$/.exec(link) ?? []
  const confirms = path.indexOf(`confirm-${kind}`)
  return [...path.matchAll(/(?:([\w.-]+)=)?([^/?#&=]+={0,2})/g)].flatMap(
    ({ 1: name = '', 2: part = '', index }) => {
      const word = percentDecoded(part) ?? part
      const named = /token|ticket|code|key|jwt|proof|secret/i.test(name)
      const after = confirms >= 0 && index > confirms
      const opaque = opacityOf(word)
      if (opaque === 0 || (opaque === 1 && !named && !after)) return []
      return [{ word, score: opaque + (named ? 4 : 0) + (after ? 8 : 0) }]
    },
  )
}

/** How much a part of a link looks like a token: not at all, a little, much. */
function opacityOf(word: string): 0 | 1 | 4 | 6 {
  if (!/^[\w.~+=-]{4,}$/.test(word)) return 0
  if (/^[\w-]+\.[\w-]+\.[\w-]+$/.test(word) && word.length > 40) return 6
  const mixed = /\d/.test(word) || (/[a-z]/.test(word) && /[A-Z]/.test(word.slice(1)))
  if (word.length >= 16 && mixed) return 4
  return /\d|[A-Z]{4}/.test(word) ? 1 : 0
}

function aloneIn(mail: Letter): Candidate[] {
  return wordingOf(mail)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => opacityOf(line) >= 4)
    .map((word) => ({ word, score: 0 }))
}

function matched(mail: Letter, pattern: string): string | undefined {
  const found = new RegExp(pattern).exec(`${wordingOf(mail)}\n${decoded(mail.html)}`)
  return found?.[1] ?? found?.[0]
}

/** The candidate of the highest score, the longer of two alike, the first of two as long. */
function best(candidates: readonly Candidate[], { isKnown = () => false }: EmailReading): string | undefined {
  const ranked = candidates
    .map(({ word, score }) => ({ word, score: score - (isKnown(word) ? 8 : 0) }))
    .sort((a, b) => b.score - a.score || b.word.length - a.word.length)
  return ranked[0]?.word
}
