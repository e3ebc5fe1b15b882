/**
 * Sends a request with another word of the emails when the target rejects the one that the run took for the proof: it may
 * have read the wrong word, or the wrong email. The document says neither which emails a server sends nor what a proof
 * looks like. What the target accepts is remembered for the run.
 *
 * @module
 */

import { jsonObject, objectsOf } from '../../exchange/json-object.ts'
import { isRejected, UntestableError } from '../judging/expect.ts'
import type { ProofCandidate } from '../services/email-reading.ts'
import {
  areAlike,
  type EmailRequest,
  proofKindOf,
  type ReadEmail,
  type TakenProof,
} from '../services/proof-book.ts'
import { proofSetting } from '../services/proof-setting.ts'
import { mailboxOf, type TargetMailbox } from '../services/target-mailbox.ts'
import type { ApiResponse } from '../vocabulary/api.ts'
import type { Course, RunSettings, SessionClock } from '../vocabulary/session.ts'
import type { ProofKind } from '../vocabulary/target.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { mfaIdIn } from './mfa-id.ts'
import {
  bodyWithParts,
  type EmailedWord,
  lacking,
  type ProofParts,
  partsAskedFor,
  partsOfProof,
} from './proof-parts.ts'
import type { Send } from './send-as.ts'

type Trying = Wire & Course & SessionClock & RunSettings
type Sent = Parameters<Send>

/** Words that are tried after the first one: a server may end a code, or slow down, after a few wrong ones. */
const mostWords = 5
/** New codes that are requested because an earlier wrong word may have ended the one before. */
const mostCodes = 3

export function withOtherProofs(session: Trying, send: Send): Send {
  return async (...sent) => {
    const [operation, request] = sent
    const asked = proofKindOf(operation, 'request')
    if (asked !== undefined) return noteRequest(session, send, sent, asked)
    const kind = proofKindOf(operation, 'confirm')
    if (kind === undefined) return send(...sent)
    const { proofs } = session
    const proof = proofs.takenIn(kind, valuesIn(request))
    // A forged proof has the parts of the right one: without them, the target may not even look at it.
    const source = proof ?? proofs.newest(kind)
    const whole = source ? withParts(sent, partsOfProof(source, proofs.partsWith(kind) ?? [])) : sent
    if (proof === undefined) return send(...whole)
    if (proof.accepted !== undefined) return send(...withWord(session, whole, proof, proof.accepted))
    return new Trial(session, send, whole, proof).run()
  }
}

async function noteRequest(session: Trying, send: Send, sent: Sent, kind: ProofKind): Promise<ApiResponse> {
  const again = copyOf(sent)
  const response = await send(...sent)
  if (!response.ok) return response
  const otpId = kind === 'code' ? otpIdIn(response) : undefined
  const request: EmailRequest = { kind, otpId, repeat: () => send(...copyOf(again)) }
  for (const value of valuesIn(sent[1])) if (value.includes('@')) session.proofs.requested(value, request)
  return response
}

/** A word that the target has not accepted yet, and the search for another one if it does not. */
class Trial {
  readonly #session: Trying
  readonly #send: Send
  #sent: Sent
  readonly #proof: TakenProof
  readonly #mailbox: TargetMailbox
  readonly #emails: ReadEmail[]
  readonly #tried: { read: ReadEmail; candidate: ProofCandidate }[] = []
  #left = mostWords

  constructor(session: Trying, send: Send, sent: Sent, proof: TakenProof) {
    this.#session = session
    this.#send = send
    this.#sent = copyOf(sent)
    this.#proof = proof
    this.#mailbox = mailboxOf(session)
    this.#emails = [proof]
  }

  async run(): Promise<ApiResponse> {
    const { proofs } = this.#session
    const proof = this.#proof
    const own = this.#own
    const isProven = own !== undefined && proof.isGuess && proofs.isProven(own.place)
    const response = await this.#sendWhole()
    if (isAccepted(proof.kind, response)) {
      if (own !== undefined) proofs.accept(proof, proof, own, proof.request?.otpId)
      // A server may return the same to any word. A session is only for the right one.
      const mayBeOther = proof.kind !== 'code' && proof.candidates.length > 1
      if (mayBeOther && proof.isGuess && !isProven) proofs.doubt(this.#session.check, proof.kind)
      return response
    }
    if (!isRejected(response) && !response.ok) return response
    const other =
      (await this.#tryOthers(isProven)) ?? (await this.#tryNewCodes()) ?? (await this.#tryAddress())
    if (other !== undefined) return other
    // Whatever the word is, it may have ended by now.
    if (!isProven && this.#isNewest) this.#expectJudged()
    if (!isProven && proof.isGuess) proofs.doubt(this.#session.check, proof.kind)
    return response
  }

  /** Sends the proof, and once more with the other parts that the target asks for. */
  async #sendWhole(): Promise<ApiResponse> {
    const { kind } = this.#proof
    const response = await this.#send(...copyOf(this.#sent))
    if (isAccepted(kind, response)) this.#session.proofs.acceptWith(kind, [])
    if (!isRejected(response)) return response
    return (await this.#tryParts(partsAskedFor(this.#proof, this.#sent[1].body, response))) ?? response
  }

  /**
   * Until the target has accepted a proof of the kind, it is not known which other values it expects with one.
   *
   * @param sent the request to which the parts are added
   * @param proof the word that it sends, with its email
   */
  async #tryParts(
    parts: ProofParts,
    sent = this.#sent,
    proof: EmailedWord = this.#proof,
  ): Promise<ApiResponse | undefined> {
    const { proofs, target } = this.#session
    const { kind } = this.#proof
    const keys = Object.keys(parts)
    const isOpen = target.profile === undefined && proofs.partsWith(kind) === undefined && this.#isNewest
    if (!isOpen || keys.length === 0) return undefined
    const whole = withParts(sent, parts)
    const response = await this.#send(...copyOf(whole))
    if (isRejected(response) && !isAccepted(kind, response)) {
      // A server may name one missing part at a time.
      const more = partsAskedFor(proof, whole[1].body, response)
      return Object.keys(more).length > 0 ? this.#tryParts({ ...parts, ...more }, sent, proof) : undefined
    }
    if (!isAccepted(kind, response)) return undefined
    this.#sent = withParts(this.#sent, parts)
    proofs.acceptWith(kind, keys)
    return response
  }

  /** The address under the names of the first step, where the target rejects everything and does not say why. */
  async #tryAddress(): Promise<ApiResponse | undefined> {
    const { binding, proofs } = this.#session
    const proof = this.#proof
    if (proof.kind === 'code') return undefined
    const usual = binding['flow.email'] ?? 'email'
    const names =
      proof.kind === 'email-change' ? [binding['emailChange.newEmail'] ?? 'newEmail', usual] : [usual]
    for (const name of new Set(names)) {
      const response = await this.#tryParts(lacking(this.#sent[1].body, { [name]: proof.to }))
      if (response === undefined) continue
      if (this.#own !== undefined) proofs.accept(proof, proof, this.#own, undefined)
      return response
    }
    return undefined
  }

  /** The word that was sent, as its email shows it. */
  get #own(): ProofCandidate | undefined {
    const { candidates, word } = this.#proof
    return candidates.find((each) => each.word === word)
  }

  /** After a newer request, it may be lawful that the proof has ended: another email would be about that one. */
  get #isNewest(): boolean {
    const { to, request } = this.#proof
    return request !== undefined && this.#session.proofs.requestFor(to) === request
  }

  /** First the likeliest words of other emails, then the other words, then those of an email that is still on the way. */
  async #tryOthers(isProven: boolean): Promise<ApiResponse | undefined> {
    const { proofs } = this.#session
    const { to, after, kind, email } = this.#proof
    const isNewest = this.#isNewest
    const isFitting = isProven && proofs.fits(kind, this.#proof) === true
    const add = (emails: Awaited<ReturnType<TargetMailbox['emailsTo']>>) => {
      const news = emails
        .filter(({ number }) => this.#emails.every((each) => each.email.number !== number))
        .map((each) => this.#mailbox.read(each, kind))
        .filter(({ candidates }) => candidates.length > 0)
      const fitting = news.filter((read) => proofs.fits(kind, read) !== false)
      // An email that is written otherwise may have a proof of its own, to undo what the run has done.
      const added = fitting.length > 0 || isFitting ? fitting : news
      this.#emails.push(...added)
      return added
    }
    const found = isNewest ? add(await this.#mailbox.emailsTo(to, after, 0)) : []
    const firsts = (emails: ReadEmail[]) =>
      emails.map((read) => ({ ...read, candidates: read.candidates.slice(0, 1) }))
    const words = isProven ? [] : [this.#proof, ...found]
    const accepted = (await this.#try(firsts(found))) ?? (await this.#try(words))
    if (accepted !== undefined || !isNewest) return accepted
    const last = Math.max(email.number, ...found.map((each) => each.email.number))
    const late = isFitting
      ? await this.#mailbox.emailsTo(to, last, this.#mailbox.quiet())
      : await this.#mailbox.oneMore(to, last)
    return this.#try(add(late))
  }

  async #try(emails: readonly ReadEmail[]): Promise<ApiResponse | undefined> {
    for (const read of emails)
      for (const candidate of read.candidates) {
        if (candidate.word === this.#proof.word || this.#wasTried(candidate)) continue
        if (this.#left === 0) return undefined
        this.#left -= 1
        this.#tried.push({ read, candidate })
        const response = await this.#attempt(read, candidate, this.#proof.request?.otpId)
        if (response !== undefined) return response
      }
    return undefined
  }

  /** A wrong word may have ended the code: each word is tried once more with a code of its own. */
  async #tryNewCodes(): Promise<ApiResponse | undefined> {
    const { kind, to, request } = this.#proof
    if (kind !== 'code' || request === undefined || !this.#isNewest) return undefined
    // The first of two factors may have ended, too.
    if (this.#hasMore()) return undefined
    for (const { read, candidate } of this.#tried.slice(0, mostCodes)) {
      const after = await this.#mailbox.count()
      const response = await request.repeat()
      const otpId = otpIdIn(response)
      if (!response.ok || otpId === undefined) return undefined
      const emails = await this.#mailbox.emailsTo(to, after, this.#mailbox.patience())
      for (const email of emails) {
        const now = this.#mailbox.read(email, kind)
        const alike = now.candidates.find(({ place }) => place === candidate.place)
        if (alike === undefined || !areAlike(now, read)) continue
        const accepted = await this.#attempt(now, alike, otpId)
        if (accepted !== undefined) return accepted
      }
    }
    return undefined
  }

  async #attempt(
    read: ReadEmail,
    candidate: ProofCandidate,
    otpId: string | undefined,
  ): Promise<ApiResponse | undefined> {
    const { word } = candidate
    const { kind } = this.#proof
    const sent = withWord(this.#session, this.#sent, this.#proof, { word, otpId })
    const response = await this.#send(...copyOf(sent))
    const proof = { ...read, word, to: this.#proof.to }
    const accepted = isAccepted(kind, response)
      ? response
      : isRejected(response)
        ? await this.#tryParts(partsAskedFor(proof, sent[1].body, response), sent, proof)
        : undefined
    if (accepted !== undefined) this.#session.proofs.accept(this.#proof, read, candidate, otpId)
    return accepted
  }

  #wasTried({ word }: ProofCandidate): boolean {
    return this.#tried.some(({ candidate }) => candidate.word === word)
  }

  /** Whether the request carries more than the code and its identifier. */
  #hasMore(): boolean {
    return Object.keys(jsonObject(this.#sent[1].body) ?? {}).length > 2
  }

  /** @throws UntestableError if the proof may be a word that was not tried, or not fairly */
  #expectJudged(): void {
    const { kind, word, isGuess } = this.#proof
    const all = this.#emails.flatMap(({ candidates }) => candidates)
    if (!isGuess || all.length === 1) return
    const clear = all.filter(({ isClear }) => isClear)
    const isOpen = clear.some((each) => each.word !== word && !this.#wasTried(each))
    const isUnfair = kind === 'code' && this.#tried.length > 0 && this.#hasMore()
    if (clear.length > 0 && !isOpen && !isUnfair) return
    throw new UntestableError(
      `the target rejected ${this.#tried.length + 1} words of its email that could be the ${
        kind === 'code' ? 'one-time code' : `proof for ${kind}`
      }; the document does not say what it looks like`,
      proofSetting(kind),
    )
  }
}

/** What servers call the token of a session where the document does not show the response. */
const tokenName = /^(?:(?:access|session|auth|id|bearer)[_-]?)?(?:token|jwt)$/i

/** A session, or the identifier for the second factor; of a confirmation, a success. */
function isAccepted(kind: ProofKind, { ok, body }: ApiResponse): boolean {
  if (kind !== 'code') return ok
  if (mfaIdIn({ body }) !== undefined) return true
  return objectsOf(body).some(
    (each) =>
      typeof each.token === 'string' ||
      (ok && Object.entries(each).some(([name, value]) => tokenName.test(name) && typeof value === 'string')),
  )
}

function otpIdIn({ body }: ApiResponse): string | undefined {
  const { otpId } = objectsOf(body).find((each) => typeof each.otpId === 'string') ?? {}
  return typeof otpId === 'string' ? otpId : undefined
}

/** The strings of a JSON body, and the values of headers: the target file may say that a key is sent in one. */
function valuesIn({ body, headers }: Sent[1]): string[] {
  return [...Object.values(jsonObject(body) ?? {}), ...Object.values(headers)].filter(
    (value): value is string => typeof value === 'string',
  )
}

/** Sending adds headers. */
function copyOf([operation, request, shown]: Sent): Sent {
  return [operation, { ...request, headers: { ...request.headers } }, shown]
}

/** The request with the parts that its body does not have. */
function withParts([operation, request, shown]: Sent, parts: ProofParts): Sent {
  if (Object.keys(parts).length === 0) return [operation, request, shown]
  return [operation, { ...request, body: bodyWithParts(request.body, parts) }, bodyWithParts(shown, parts)]
}

/** The request with another word instead of the proof, and the identifier of another code. */
function withWord(
  { redactor }: Pick<Wire, 'redactor'>,
  [operation, request, shown]: Sent,
  proof: TakenProof,
  { word, otpId }: { word: string; otpId?: string | undefined },
): Sent {
  redactor.meet(word, proof.kind === 'code' ? '$CODE' : '$PROOF')
  const names = new Map([[proof.word, word]])
  const { request: { otpId: before } = {} } = proof
  if (before !== undefined && otpId !== undefined) names.set(before, otpId)
  const exchanged = (text: string) =>
    [...names].reduce((rest, [from, to]) => rest.replaceAll(JSON.stringify(from), JSON.stringify(to)), text)
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, names.get(value) ?? value]),
  )
  const { body } = request
  return [
    operation,
    { ...request, headers, ...(typeof body === 'string' && { body: exchanged(body) }) },
    exchanged(shown),
  ]
}
