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
  /** Whether the target has accepted a word from this place of an email. @default none was */
  isProven?: ((place: string) => boolean) | undefined
}

/** A word of an email that may be its proof. */
export interface ProofCandidate {
  word: string
  /** Where it is: the same for each email that is written alike. */
  place: string
  /** Whether it looks like a proof for a reason of its own, not only for lack of a better one. */
  isClear: boolean
}

interface Candidate extends ProofCandidate {
  score: number
}

const ADDRESS = /(?<![\w.+-])[\w.+-]+@[\w.-]+/g
const LINK = /\bhttps?:\/\/[^\s"'<>)\]]+/g
/** What a code is made of: digits, or capitals and digits, or either in groups, or groups of small letters. */
const CODES: readonly { shape: RegExp; score: number; needs?: 'context' | 'alone' }[] = [
  { shape: /^\d{5,12}$/, score: 3 },
  { shape: /^\d{2,4}(-\d{2,4}){1,3}$/, score: 2, needs: 'context' },
  { shape: /^\d{4}$/, score: 1 },
  { shape: /^\d{3}$/, score: 1, needs: 'context' },
  { shape: /^(?=.*\d)(?=.*[A-Z])[A-Z\d]{5,12}$/, score: 2 },
  { shape: /^[A-Z\d]{1,8}(-[A-Z\d]{2,8}){1,5}$/, score: 2, needs: 'context' },
  { shape: /^[A-Z]{4,12}$/, score: 1, needs: 'context' },
  { shape: /^[a-z\d]{2,8}(-[a-z\d]{2,8}){1,5}$/, score: 1, needs: 'alone' },
]
/** Score of a word of no such form that the email calls its code. */
const CALLED = 1

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
  reading: EmailReading & { length?: number | undefined } = {},
): string | undefined {
  return codeCandidates(mail, reading)[0]?.word
}

/** What the one-time code may be, the likeliest first. */
export function codeCandidates(
  mail: Letter,
  { length, ...reading }: EmailReading & { length?: number | undefined } = {},
): ProofCandidate[] {
  if (reading.pattern !== undefined) return matched(mail, reading.pattern)
  // A host, a port and an address are made of letters and digits, too.
  const lines = wordingOf(mail)
    .replace(LINK, ' ')
    .replace(ADDRESS, ' ')
    .split('\n')
    .map((line) => line.trim())
  const wanted = length === undefined ? CODES : [{ shape: new RegExp(`^\\d{${length}}$`), score: 3 }]
  let before = ''
  const found = lines.filter(Boolean).flatMap((line) => {
    const candidates = codesIn(line, before, wanted)
    before = line
    return candidates
  })
  return ranked(found, reading)
}

/** @param before the line before */
function codesIn(line: string, before: string, wanted: typeof CODES): Candidate[] {
  return [...line.matchAll(/(?<![\w.-])[A-Za-z\d]+(?:-[A-Za-z\d]+)*(?![\w-]|\.\d)/g)].flatMap(
    ({ 0: word, index }) => {
      const alone = line === word
      const found = wanted.find(({ shape, needs }) => shape.test(word) && (needs !== 'alone' || alone))
      const called = found === undefined && wanted === CODES && isCalledCode(line, word, index)
      if (found === undefined && !called) return []
      const announced = called || isAnnounced(line, index)
      if (found?.needs === 'context' && !alone && !announced) return []
      const year = /^(19|20)\d\d$/.test(word) ? -2 : 0
      const score = (found?.score ?? CALLED) + (alone ? 4 : 0) + (announced ? 3 : 0) + year
      const place = `after ${lastWords(`${before.slice(-80)} ${line.slice(Math.max(0, index - 80), index)}`)}`
      return [{ word, place, score, isClear: alone || announced }]
    },
  )
}

/** Two words, in which digits do not count. */
function lastWords(text: string): string {
  const words = text.slice(-80).match(/[\p{L}\d]+/gu) ?? []
  return words.slice(-2).join(' ').replace(/\d+/g, '#')
}

/**
 * Whether the email says that this word is the code: "your code is X". A word of small letters alone must end the
 * sentence, since "your code is valid for an hour" says something else.
 */
function isCalledCode(line: string, word: string, at: number): boolean {
  const isPlain = /^[A-Za-z]?[a-z]+$/.test(word)
  return (
    word.length >= 3 &&
    /\b(?:code|password|passcode|pin)(?:\s+is\s*:?|\s*:)\s*["'([«“]?$/i.test(
      line.slice(Math.max(0, at - 30), at),
    ) &&
    (!isPlain || /^["')\]»”]?[.!]?$/.test(line.slice(at + word.length)))
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
  return tokenCandidates(mail, kind, reading)[0]?.word
}

/** What the proof of an email that confirms something may be, the likeliest first. */
export function tokenCandidates(
  mail: Letter,
  kind: ConfirmationKind,
  reading: EmailReading = {},
): ProofCandidate[] {
  if (reading.pattern !== undefined) return matched(mail, reading.pattern)
  const hrefs = [...mail.html.matchAll(/\bhref\s*=\s*["']?(https?:[^\s"'<>]+)/gi)].map(
    (found) => found[1] ?? '',
  )
  const links = [...hrefs.map(decoded), ...(`${visibleText(mail.html)}\n${mail.text}`.match(LINK) ?? [])]
  const linked = ranked(
    links.flatMap((link) => partsOf(link, kind)),
    reading,
  )
  const found = [...linked, ...ranked(aloneIn(mail), reading), ...codeCandidates(mail, reading)]
  const { isProven = () => false } = reading
  return once([...found.filter(({ place }) => isProven(place)), ...found])
}

/** Links in links that are looked into: one that counts clicks has the real one in it. */
const deepestLink = 3

/** Opaque parts of path, query and fragment, also of a link that is a part of the link. */
function partsOf(link: string, kind: ConfirmationKind, depth = 1): Candidate[] {
  if (/unsubscribe|opt-?out/i.test(link)) return []
  const [, host = '', path = ''] = /^https?:\/\/([^/?#]*)(.*)$/s.exec(link) ?? []
  const page = `${host}${pathTemplate(path)}`
  const confirms = path.indexOf(`confirm-${kind}`)
  return [...path.matchAll(/(?:([\w.-]+)=)?([^/?#&=]+={0,2})/g)].flatMap(
    ({ 1: name = '', 2: part = '', index }, at) => {
      const word = percentDecoded(part) ?? part
      if (/^https?:\/\//.test(word)) return depth < deepestLink ? partsOf(word, kind, depth + 1) : []
      const named = /token|ticket|code|key|jwt|proof|secret/i.test(name)
      const after = confirms >= 0 && index > confirms
      const opaque = opacityOf(word)
      if (opaque === 0 || (opaque === 1 && !named && !after)) return []
      const place = `link ${page} ${name === '' ? at : name}`
      const isClear = named || after || opaque > 1
      return [{ word, place, isClear, score: opaque + (named ? 4 : 0) + (after ? 8 : 0) }]
    },
  )
}

/** The path of a link without what differs from one email to the next. */
function pathTemplate(path: string): string {
  const [upToQuery = ''] = path.split(/[?#]/, 1)
  return upToQuery
    .split('/')
    .map((part) => (/\d|@|%/.test(part) || opacityOf(part) > 0 ? '#' : part))
    .join('/')
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
    .map((word) => ({ word, place: 'a line', isClear: true, score: 0 }))
}

function matched(mail: Letter, pattern: string): ProofCandidate[] {
  const found = new RegExp(pattern).exec(`${wordingOf(mail)}\n${decoded(mail.html)}`)
  const word = found?.[1] ?? found?.[0]
  return word === undefined ? [] : [{ word, place: 'as the target file says', isClear: true }]
}

/**
 * What was proven first, then by score: the longer of two alike, the first of two as long. A word that is there twice has
 * the place that speaks most for it.
 */
function ranked(
  candidates: readonly Candidate[],
  { isKnown = () => false, isProven = () => false }: EmailReading,
): ProofCandidate[] {
  const sorted = candidates
    .map((each) => ({
      ...each,
      score: each.score - (isKnown(each.word) ? 8 : 0) + (isProven(each.place) ? 100 : 0),
    }))
    .sort((a, b) => b.score - a.score || b.word.length - a.word.length)
  return once(sorted.map(({ word, place, isClear }) => ({ word, place, isClear })))
}

/** Each word once. */
function once(candidates: readonly ProofCandidate[]): ProofCandidate[] {
  const byWord = new Map<string, ProofCandidate>()
  for (const each of candidates) if (!byWord.has(each.word)) byWord.set(each.word, each)
  return [...byWord.values()]
}
