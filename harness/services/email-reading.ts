/**
 * Reads what an email of the interface is about: the code of a one-time password, the proof of a confirmation. The
 * document says nothing about their form. What looks most like one is taken; a target file may say how to find it.
 *
 * @module
 */

import { percentDecoded } from '../../exchange/percent-decoded.ts'
import type { ConfirmationKind, ReceivedEmail } from '../vocabulary/target.ts'

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
/** Of any scheme: an app has its own. It ends before the punctuation of a sentence. */
const LINK = /\b[a-z][\w+.-]{1,30}:\/\/[^\s"'<>)\]]*[^\s"'<>)\].,;:!?*]/gi
/** What holds a link or a proof in HTML. */
const ATTRIBUTE = /\b(?:href|action|value)\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)'|([^\s"'<>]+))/gi
/** Score of a word of letters that stands alone: it is rather a greeting. */
const GREETING = -5
/** What a code is made of: digits, or capitals and digits, or either in groups, or a word or groups that stand alone. */
const CODES: readonly { shape: RegExp; score: number; needs?: 'context' | 'alone' }[] = [
  { shape: /^\d{5,12}$/, score: 3 },
  { shape: /^\d{2,6}([ -]\d{2,6}){1,3}$/, score: 2, needs: 'context' },
  { shape: /^\d{2,4}( \d{2,4}){1,3}$/, score: 0 },
  { shape: /^\d{4}$/, score: 1 },
  { shape: /^\d{3}$/, score: 1, needs: 'context' },
  { shape: /^(?=.*\d)(?=.*[A-Z])[A-Z\d]{5,12}$/, score: 2 },
  { shape: /^[A-Z\d]{1,8}(-[A-Z\d]{2,8}){1,5}$/, score: 2, needs: 'context' },
  { shape: /^[A-Z]{4,12}$/, score: 1, needs: 'context' },
  { shape: /^(?=.*\d)[A-Z\d]{2,4}( [A-Z\d]{2,4}){1,3}$/, score: 1, needs: 'context' },
  { shape: /^[A-Z]{2,4}( [A-Z]{2,4}){1,3}$/, score: GREETING, needs: 'alone' },
  { shape: /^[a-z\d]{2,8}(-[a-z\d]{2,8}){1,5}$/, score: 1, needs: 'alone' },
  { shape: /^\d{13,}$/, score: 0 },
  { shape: /^(?=.*\d)(?=.*[A-Za-z])[A-Za-z\d]{4,}$/, score: 0 },
  { shape: /^[A-Za-z]{5,12}$/, score: GREETING, needs: 'alone' },
]
/** Score of a word of no such form that the email calls its code. */
const CALLED = 1

const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  amp: '&',
  nbsp: ' ',
}

function decoded(html: string): string {
  return html.replace(
    /&(?:#x([\da-f]{1,5})|#(\d{1,6})|([a-z]{2,4}));/gi,
    (entity, hex: string | undefined, decimal: string | undefined, name: string | undefined) =>
      name === undefined
        ? String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16))
        : (ENTITIES[name.toLowerCase()] ?? entity),
  )
}

/** The same signs for those that look alike, and none for those that no one sees. */
function plain(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, '')
    .replace(/[\u2010\u2011]/g, '-')
}

/** Removes markup; the text of each element becomes a line. A word goes on after `<wbr>`. */
function visibleText(html: string): string {
  const shown = replacedUpTo(
    html.replace(/<wbr *\/?>/gi, ''),
    /<\/style>/gi,
    /<style[\s\S]*?<\/style>/gi,
    ' ',
  )
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
  return plain(`${visibleText(html)}\n${text}\n${subject}`)
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
  const lines = joinedSigns(wordingOf(mail).replace(LINK, ' ').replace(ADDRESS, ' '))
    .split('\n')
    .map((line) => line.trim())
  const wanted = length === undefined ? CODES : [{ shape: new RegExp(`^\\d{${length}}$`), score: 3 }]
  let before = ''
  const found = lines.filter(Boolean).flatMap((line) => {
    const candidates = codesIn(line, before, wanted)
    before = line
    return candidates
  })
  const linked = linksIn(mail).flatMap((link) => partsOf(link))
  return ranked([...found, ...(length === undefined ? linked.map(asCode) : [])], reading)
}

/** A part of a link as a candidate for a code: an unlikely one, unless its name says that it is a code. */
function asCode(part: Candidate & { isNamed: boolean }): Candidate {
  return part.isNamed ? part : { ...part, isClear: false, score: part.score - 8 }
}

/** A code that has a space, or a cell of a table, for each sign. */
function joinedSigns(text: string): string {
  return text.replace(
    /(?<!\S)[A-Z\d](?:\s{1,30}[A-Z\d](?!\S)){3,11}/g,
    (code) => `\n${code.replace(/\s/g, '')}\n`,
  )
}

/** @param before the line before */
function codesIn(line: string, before: string, wanted: typeof CODES): Candidate[] {
  const words = line.matchAll(/(?<![A-Za-z\d.-])[A-Za-z\d]+(?:-[A-Za-z\d]+)*(?![A-Za-z\d-]|\.\d)/g)
  const groups = line.matchAll(/(?<![\w.+-])[A-Z\d]{2,4}(?: [A-Z\d]{2,4}){1,3}(?![\w-]|\.\d)/g)
  const digits = line.matchAll(/(?<![\w.+-])\d{2,6}(?: \d{2,6}){1,3}(?![\w-]|\.\d)/g)
  const each = new Map([...words, ...groups, ...digits].map((match) => [`${match.index} ${match[0]}`, match]))
  return [...each.values()].flatMap(({ 0: word, index }) => {
    const alone = line === word
    const isAnnouncedHere = isAnnounced(line, index) || isNamedAfter(line, word, index)
    const isMet = ({ shape, needs }: (typeof CODES)[number]) =>
      shape.test(word) && (needs === undefined || alone || (needs === 'context' && isAnnouncedHere))
    const found = wanted.find(isMet)
    const called = found === undefined && wanted === CODES && isCalledCode(line, word, index)
    if (found === undefined && !called) return []
    const announced = called || isAnnouncedHere
    const year = /^(19|20)\d\d$/.test(word) ? -2 : 0
    const base = found?.score ?? CALLED
    const score = base + (alone ? 4 : 0) + (announced ? 3 : 0) + year
    const place = `after ${lastWords(`${before.slice(-80)} ${line.slice(Math.max(0, index - 80), index)}`)}`
    const isClear = base !== GREETING && (alone || announced)
    return spellings(word).map((spelling, at) => ({
      word: spelling,
      place: at === 0 ? place : `${place}, spelled otherwise`,
      score: score - at * 2,
      isClear,
    }))
  })
}

/** Spaces only make a code easier to read. Hyphens may belong to it. */
function spellings(word: string): string[] {
  const joined = word.replace(/[ -]/g, '')
  if (joined === word) return [word]
  return word.includes(' ') ? [joined, word] : [word, joined]
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

/** Whether the email says next what this word with digits is: "123-456 is your code", as in a subject. */
function isNamedAfter(line: string, word: string, at: number): boolean {
  const after = line.slice(at + word.length, at + word.length + 60)
  return (
    /\d/.test(word) &&
    /^["')\]»”]?\s+\p{L}{1,3}\s+(?!not?\b)(?:[\p{L}\d'’-]+\s+){0,4}(?:code|password|passcode|pin|código|codice)\b/iu.test(
      after,
    )
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
  const codes = codeCandidates(mail, reading).filter(({ word, isClear }) => isClear || /\d/.test(word))
  const linked = ranked(
    linksIn(mail).flatMap((link) => partsOf(link, kind)),
    reading,
  )
  const found = [...linked, ...ranked(opaqueWords(mail), reading), ...codes]
  const { isProven = () => false } = reading
  return once([
    ...found.filter(({ place }) => isProven(place)),
    ...found.filter(({ isClear }) => isClear),
    ...found,
  ])
}

/** The named parameters of the link that contains a word, without the one that is the word. */
export function otherParameters(mail: Letter, word: string): Readonly<Record<string, string>> {
  for (const link of linksIn(mail)) {
    const parameters = [...link.matchAll(/[?&#;]([\w.-]+)=([^&#;]*)/g)].map(
      ([, name = '', value = '']) => [name, percentDecoded(value) ?? value] as const,
    )
    if (link.includes(word) || parameters.some(([, value]) => value === word))
      return Object.fromEntries(parameters.filter(([, value]) => value !== word))
  }
  return {}
}

/** The segment before a word in the path or the fragment of its link, as in `/activate/USER/WORD` and `#/activate/USER/WORD`. */
export function segmentBefore(mail: Letter, word: string): string | undefined {
  for (const link of linksIn(mail)) {
    const [, path = '', fragment = ''] = /^([^?#]*)(?:\?[^#]*)?(?:#(.*))?$/s.exec(link) ?? []
    const segments = [...path.split('/'), '', ...fragment.split('/')].map(
      (each) => percentDecoded(each) ?? each,
    )
    const before = segments[segments.indexOf(word) - 1]
    if (before !== undefined && before !== '') return before
  }
  return undefined
}

function linksIn(mail: Letter): string[] {
  const attributes = [...mail.html.matchAll(ATTRIBUTE)].map(([, ...values]) =>
    decoded(values.find((value) => value !== undefined) ?? '').trim(),
  )
  return [...attributes, ...(wordingOf(mail).match(LINK) ?? [])]
}

/** Links in links that are looked into: one that counts clicks has the real one in it. */
const deepestLink = 3

/** Opaque parts of path, query and fragment, also of a link that is a part of the link. */
function partsOf(link: string, kind?: ConfirmationKind, depth = 1): (Candidate & { isNamed: boolean })[] {
  if (/unsubscribe|opt-?out|^mailto:/i.test(link)) return []
  const [, host = '', path = ''] = /^(?:[a-z][\w+.-]*:\/\/([^/?#]*))?(.*)$/is.exec(link) ?? []
  const page = `${host}${pathTemplate(path)}`
  const confirms = kind === undefined ? -1 : path.indexOf(`confirm-${kind}`)
  return [...path.matchAll(/([\w.-]+)=([^&#=][^&#]*)|[^/?#&=;]+={0,2}/g)].flatMap(
    ({ 0: whole, 1: name = '', 2: value = whole, index }, at) => {
      const word = percentDecoded(value) ?? value
      const inner = depth < deepestLink && /[/?#=]/.test(word) ? partsOf(word, kind, depth + 1) : []
      const isNamed = /token|ticket|code|otp|key|jwt|proof|secret|pin/i.test(name)
      const after = confirms >= 0 && index > confirms
      const opaque = Math.max(opacityOf(word), isNamed && /^[\w-]{4,}$/.test(word) ? 1 : 0)
      if (opaque === 0) return inner
      const place = `link ${page} ${name === '' ? at : name}`
      const isClear = isNamed || after || opaque > 1
      // The longer of two alike.
      const score = opaque + (isNamed ? 4 : 0) + (after ? 8 : 0) + Math.min(word.length, 999) / 1_000
      return [{ word, place, isClear, isNamed, score }, ...inner]
    },
  )
}

/** The path of a link without what differs from one email to the next. */
function pathTemplate(path: string): string {
  const [upToQuery = ''] = path.split(/[?#;]/, 1)
  return upToQuery
    .split('/')
    .map((part) => (/\d|@|%/.test(part) || opacityOf(part) > 0 ? '#' : part))
    .join('/')
}

/** How much a part of a link looks like a token: not at all, a little, much. */
function opacityOf(word: string): 0 | 1 | 4 | 6 {
  if (/^\d{4}-\d\d-\d\d/.test(word)) return 0
  // Base64 has slashes, but a path usually begins with one.
  if (!/^[\w.~+=:|!$*-][\w.~+=:|!$*/-]{3,}$/.test(word)) return 0
  if (/^[\w-]+\.[\w-]+\.[\w-]+$/.test(word) && word.length > 40) return 6
  const mixed = /\d/.test(word) || (/[a-z]/.test(word) && /[A-Z]/.test(word.slice(1)))
  if (word.length >= 16 && mixed) return 4
  return /\d|[A-Z]{4}|[a-z]{20}/.test(word) ? 1 : 0
}

/** Words that are not in links. */
function opaqueWords(mail: Letter): Candidate[] {
  return wordingOf(mail)
    .replace(LINK, ' ')
    .split('\n')
    .flatMap((line) =>
      line.split(/\s+/).flatMap((word) => {
        const isAlone = word === line.trim()
        const place = isAlone ? 'a line' : 'a word'
        return bareWords(word)
          .filter((bare) => opacityOf(bare) >= 4)
          .map((bare, at) => ({ word: bare, place, isClear: true, score: (isAlone ? 1 : 0) - at / 2 }))
      }),
    )
}

/**
 * A word without the signs around it, the likeliest first. Hyphens and underscores may be the beginning of a token; the same
 * ones at both ends emphasize it.
 */
function bareWords(word: string): string[] {
  const whole = word.replace(/^[^\w-]+|[^\w=-]+$/g, '')
  const [before = ''] = /^[_-]*/.exec(whole) ?? []
  const [after = ''] = /[_-]*$/.exec(whole) ?? []
  if (before === '') return [whole]
  const bare = whole.slice(before.length)
  return before === after ? [bare.slice(0, -after.length), whole] : [whole, bare]
}

function matched(mail: Letter, pattern: string): ProofCandidate[] {
  const found = new RegExp(pattern).exec(`${wordingOf(mail)}\n${decoded(mail.html)}`)
  const word = found?.[1] ?? found?.[0]
  return word === undefined ? [] : [{ word, place: 'as the target file says', isClear: true }]
}

/**
 * Sorts words that the server accepted before to the front, then by score. A word that occurs twice is rated by the better
 * of its places.
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
    .sort((a, b) => b.score - a.score)
  return once(sorted.map(({ word, place, isClear }) => ({ word, place, isClear })))
}

/** Each word once. */
function once(candidates: readonly ProofCandidate[]): ProofCandidate[] {
  const byWord = new Map<string, ProofCandidate>()
  for (const each of candidates) if (!byWord.has(each.word)) byWord.set(each.word, each)
  return [...byWord.values()]
}
