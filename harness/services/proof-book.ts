/**
 * What a run knows about the proofs in its emails: which requests asked for them, which words were taken for them, and
 * where the words were that the target accepted. The document says neither which emails a server sends nor what a proof
 * looks like.
 *
 * @module
 */

import type { OperationId } from '../../spec/vocabulary.ts'
import type { ApiResponse } from '../vocabulary/api.ts'
import type { ProofKind, ReceivedEmail } from '../vocabulary/target.ts'
import type { ProofCandidate } from './email-reading.ts'

/** The operation that an email of each kind follows, and the one that takes its proof. */
const steps: Readonly<Record<ProofKind, { request: OperationId; confirm: OperationId }>> = {
  code: { request: 'requestOtp', confirm: 'authWithOtp' },
  verification: { request: 'requestVerification', confirm: 'confirmVerification' },
  'password-reset': { request: 'requestPasswordReset', confirm: 'confirmPasswordReset' },
  'email-change': { request: 'requestEmailChange', confirm: 'confirmEmailChange' },
}

/** The kind of proof that an operation asks for by email, or takes. */
export function proofKindOf(
  operation: OperationId | undefined,
  step: 'request' | 'confirm',
): ProofKind | undefined {
  return (Object.keys(steps) as ProofKind[]).find((kind) => steps[kind][step] === operation)
}

/** A request that was accepted, and that an email follows. */
export interface EmailRequest {
  kind: ProofKind
  /** The identifier that belongs to its code. */
  otpId?: string | undefined
  /** Sends it once more. */
  repeat(): Promise<ApiResponse>
}

/** An email and the words in it that may be its proof, the likeliest first. */
export interface ReadEmail {
  email: ReceivedEmail
  candidates: readonly ProofCandidate[]
}

/** A word that the run took for the proof of an email. */
export interface TakenProof extends ReadEmail {
  kind: ProofKind
  word: string
  /** False if the mailbox or the target file says which word it is. */
  isGuess: boolean
  /** Address of the email, and the number of emails before the request. */
  to: string
  after: number
  request: EmailRequest | undefined
  /** What the target accepted: another word, and the identifier of another code. */
  accepted?: { word: string; otpId?: string | undefined }
}

/** Waits for an email in vain, as long as the first one may take, after which a run no longer waits that long. */
const mostLongWaits = 2

export class ProofBook {
  readonly #requests = new Map<string, EmailRequest>()
  readonly #taken = new Map<string, TakenProof>()
  /** Where the words were that the target accepted, with the kinds of their emails. */
  readonly #places = new Map<string, Set<ProofKind>>()
  /** Subjects of emails whose proofs the target accepted, with their kinds. */
  readonly #subjects = new Map<string, Set<ProofKind>>()
  /** Subjects of emails that were taken for one of a kind, and were not. */
  readonly #mistaken = new Map<string, Set<ProofKind>>()
  /** Where in them the words were. */
  readonly #mistakenPlaces = new Map<string, Set<ProofKind>>()
  readonly #doubts = new Map<string, ProofKind>()
  readonly #newest = new Map<ProofKind, TakenProof>()
  readonly #parts = new Map<ProofKind, readonly string[]>()
  readonly #words = new Map<string, number>()
  readonly #read = new Set<number>()
  #longWaits = 0

  /** The words of the emails that were read, with the number of the first email that contained each. */
  get words(): Map<string, number> {
    return this.#words
  }

  /** Whether another wait for one more email may take as long as for the first one. */
  get mayWaitLong(): boolean {
    return this.#longWaits < mostLongWaits
  }

  waitedInVain(): void {
    this.#longWaits += 1
  }

  /** Notes that a check has read an email. */
  read({ number }: ReceivedEmail): void {
    this.#read.add(number)
  }

  isRead({ number }: ReceivedEmail): boolean {
    return this.#read.has(number)
  }

  requested(address: string, request: EmailRequest): void {
    this.#requests.set(address.toLowerCase(), request)
  }

  /** Notes that a check lets time pass: the proofs of all requests may have ended, and another email proves nothing. */
  timePassed(): void {
    this.#requests.clear()
  }

  /** The last request that an email to the address follows. */
  requestFor(address: string): EmailRequest | undefined {
    return this.#requests.get(address.toLowerCase())
  }

  take(proof: TakenProof): void {
    this.#newest.set(proof.kind, proof)
    this.#taken.set(keyOf(proof.kind, proof.word, proof.request?.otpId), proof)
  }

  /** The proof of a kind that is among the values of a request, with the identifier that belongs to it. */
  takenIn(kind: ProofKind, values: readonly string[]): TakenProof | undefined {
    for (const value of values)
      for (const otpId of kind === 'code' ? values : [undefined]) {
        const proof = this.#taken.get(keyOf(kind, value, otpId))
        if (proof !== undefined) return proof
      }
    return undefined
  }

  /** The proof of a kind that was read last. */
  newest(kind: ProofKind): TakenProof | undefined {
    return this.#newest.get(kind)
  }

  /** Keys that the target takes together with a proof of a kind. Undefined before it has accepted one. */
  partsWith(kind: ProofKind): readonly string[] | undefined {
    return this.#parts.get(kind)
  }

  /** Notes with which keys the target accepted a proof of a kind. */
  acceptWith(kind: ProofKind, keys: readonly string[]): void {
    if (!this.#parts.has(kind)) this.#parts.set(kind, keys)
  }

  isProven = (place: string): boolean => this.#places.has(place)

  /** Whether the target has accepted a word of the kind from such an email: from that place, under that subject. */
  isKnown(kind: ProofKind, read: ReadEmail): boolean {
    const [likeliest] = read.candidates
    const kinds = likeliest && this.#places.get(likeliest.place)
    return kinds?.has(kind) === true && this.fits(kind, read) === true
  }

  /** Notes which word the target accepted. */
  accept(
    proof: TakenProof,
    { email, candidates }: ReadEmail,
    candidate: ProofCandidate,
    otpId: string | undefined,
  ): void {
    proof.accepted = { word: candidate.word, otpId }
    addTo(this.#places, candidate.place, proof.kind)
    addTo(this.#subjects, subjectOf(email, candidates), proof.kind)
    if (proof.email === email) return
    addTo(this.#mistaken, subjectOf(proof.email, proof.candidates), proof.kind)
    for (const { place, word } of proof.candidates)
      if (word === proof.word) addTo(this.#mistakenPlaces, place, proof.kind)
  }

  /** Whether an email may be the one of a kind, by its subject and what it contains. Undefined: nothing speaks against it. */
  fits(kind: ProofKind, { email, candidates }: ReadEmail): boolean | undefined {
    const [likeliest] = candidates
    if (likeliest === undefined) return false
    const subject = subjectOf(email, candidates)
    const [bySubject, byPlace] = [this.#subjects.get(subject), this.#places.get(likeliest.place)]
    // All emails of a server may have the same subject.
    const isOfOther = byPlace !== undefined && !byPlace.has(kind)
    const isMistaken = byPlace === undefined && this.#mistakenPlaces.get(likeliest.place)?.has(kind) === true
    if (bySubject?.has(kind)) return !isOfOther && !isMistaken
    const isKnown = [...this.#subjects.values()].some((each) => each.has(kind))
    const speaksAgainst = isMistaken || this.#mistaken.get(subject)?.has(kind) === true
    return isKnown || bySubject !== undefined || speaksAgainst ? false : undefined
  }

  /** Notes that the target rejected a word that was guessed, during a check, or accepted the first of several. */
  doubt(check: string | undefined, kind: ProofKind): void {
    if (check !== undefined) this.#doubts.set(check, kind)
  }

  /** The kind of a guess that may be wrong, of a check. */
  doubtIn(check: string): ProofKind | undefined {
    return this.#doubts.get(check)
  }
}

function addTo(kinds: Map<string, Set<ProofKind>>, subject: string, kind: ProofKind): void {
  kinds.set(subject, (kinds.get(subject) ?? new Set()).add(kind))
}

function keyOf(kind: ProofKind, word: string, otpId: string | undefined): string {
  return JSON.stringify([kind, word, otpId])
}

/** Whether two emails are written alike. */
export function areAlike(one: ReadEmail, other: ReadEmail): boolean {
  return subjectOf(one.email, one.candidates) === subjectOf(other.email, other.candidates)
}

/** The subject without what differs from one email to the next. */
function subjectOf({ subject }: ReceivedEmail, candidates: readonly ProofCandidate[]): string {
  return candidates
    .reduce((rest, { word }) => rest.replaceAll(word, '#'), subject)
    .split(/\s+/)
    .map((word) => (word.includes('@') ? '#' : word.replace(/\d+/g, '#')))
    .join(' ')
    .trim()
}
