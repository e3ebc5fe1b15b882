/**
 * Emails with other wording and another proof.
 *
 * @module
 */

import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { SentEmail } from '../../../reference/reference.ts'
import { servicesOf } from '../../../reference/services-of.ts'
import type { FaultTools, Middleware } from '../fault.ts'
import { CONFIRMS, claimsIn, SIGN_INS, tokenIn } from './auth.ts'
import {
  all,
  isJsonObject,
  type JsonValue,
  json,
  type Operations,
  on,
  parsedBody,
  rewriteBody,
} from './combinators.ts'

type Make = (tools: FaultTools) => Middleware

/** Emails of a kind. */
export type EmailFlow = SentEmail['kind']

/** Changes what is emailed; several emails are sent one after the other. */
export function rewritesMail(change: (mail: SentEmail) => SentEmail | readonly SentEmail[]): Make {
  return ({ reference }) => {
    const send = servicesOf(reference).mail.send
    servicesOf(reference).mail.send = async (mail) => {
      for (const each of [change(mail)].flat()) await send(each)
    }
    return (request, next) => next(request)
  }
}

/** Adds the proofs of all emails to the set. */
export function keepsProofs(proofs: Set<string>, kind: 'code' | 'token'): Make {
  return rewritesMail((mail) => {
    const proof = mail[kind]
    if (proof !== undefined) proofs.add(proof)
    return mail
  })
}

/** Rejections contain the proofs of all emails. */
export function revealsProofs(operations: Operations, kind: 'code' | 'token'): Make {
  return (tools) => {
    const proofs = new Set<string>()
    const show = on(operations, async (request, next) => {
      const response = await next(request)
      return response.ok
        ? response
        : json(response.status, { ...((await response.json()) as JsonValue), expected: [...proofs] })
    })
    return all(keepsProofs(proofs, kind), show)(tools)
  }
}

/**
 * Rewrites the successful responses to requests for an email, with the proof in it. The reference sends its emails after its
 * responses.
 */
export function withProof(
  operations: Operations,
  kind: 'code' | 'token',
  rewrite: (response: Response, proof: string) => Response | Promise<Response>,
): Make {
  return (tools) => {
    const proofs = new Map<string, string>()
    const keep = rewritesMail((mail) => {
      const proof = mail[kind]
      if (proof !== undefined) proofs.set(mail.to, proof)
      return mail
    })
    const show = on(operations, async (request, next) => {
      const { email, newEmail } = (await parsedBody(request)) ?? {}
      const to = String(newEmail ?? email)
      proofs.delete(to)
      const response = await next(request)
      for (let turn = 0; turn < 50 && response.ok && !proofs.has(to); turn += 1) await wait(2)
      const proof = proofs.get(to)
      return response.ok && proof !== undefined ? rewrite(response, proof) : response
    })
    return all(keep, show)(tools)
  }
}

/** The reference sends no second email for two minutes. */
export const withoutPause: Make = ({ reference }) => {
  const services = servicesOf(reference)
  Object.assign(services, { throttle: { ...services.throttle, resendSeconds: 0 } })
  return (request, next) => next(request)
}

/** Each email comes once more, some time later. */
export const comesTwice: Make = ({ reference }) => {
  const services = servicesOf(reference)
  const send = services.mail.send
  services.mail.send = async (mail) => {
    await send(mail)
    setTimeout(() => void send(mail).catch(() => {}), 150)
  }
  return (request, next) => next(request)
}

/** What a letter says around its proof. */
export type Letter = (proof: string, mail: SentEmail) => Partial<Pick<SentEmail, 'subject' | 'html' | 'text'>>

/** The links of the email flows carry another proof, and the second step takes it instead of the reference's own. */
export function emailsProof(make: () => string, letter: Letter): Make {
  const real = new Map<string, string>()
  return all(
    rewritesMail((mail) => {
      if (mail.token === undefined) return mail
      const proof = fresh(make, real)
      real.set(proof, mail.token)
      return { ...mail, ...emptied, ...letter(proof, mail) }
    }),
    rewriteBody(CONFIRMS, (body) => ({ ...body, token: real.get(String(body.token)) ?? body.token })),
  )
}

/** The same for one-time codes. */
export function emailsCode(make: () => string, letter: Letter = sentence): Make {
  const real = new Map<string, string>()
  return all(
    rewritesMail((mail) => {
      if (mail.code === undefined) return mail
      const proof = fresh(make, real)
      real.set(proof, mail.code)
      return { ...mail, ...emptied, ...letter(proof, mail) }
    }),
    rewriteBody('authWithOtp', (body) => ({
      ...body,
      password: real.get(String(body.password)) ?? body.password,
    })),
  )
}

const emptied = { html: '', text: '' }

function fresh(make: () => string, known: ReadonlyMap<string, string>): string {
  const proof = make()
  return known.has(proof) ? fresh(make, known) : proof
}

/** A letter of one sentence. */
function sentence(proof: string): { html: string; text: string } {
  return { html: `<p>Your code is ${proof}.</p>`, text: `Your code is ${proof}.` }
}

/** A letter with one link. */
export function link(address: (proof: string, mail: SentEmail) => string): Letter {
  return (proof, mail) => ({
    html: `<p>Hello,</p><p><a href="${address(proof, mail).replaceAll('&', '&amp;')}">Go on</a></p>`,
    text: `Hello,\n\nGo on: ${address(proof, mail)}\n`,
  })
}

export const hex = (bytes: number) => () => randomBytes(bytes).toString('hex')
export const base64url = (bytes: number) => () => randomBytes(bytes).toString('base64url')
export const emailUuid = () => randomUUID() as string
/** A string of random characters of an alphabet. */
export const drawn = (length: number, alphabet: string) => () =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
export const digits = (length: number) => drawn(length, '0123456789')

type Notice = Partial<Pick<SentEmail, 'subject' | 'html' | 'text'>>

/** An email that no request asked for, some milliseconds after the response. */
function notify({ reference }: FaultTools, to: unknown, notice: Notice, late = 0): void {
  if (typeof to !== 'string' || to === '') return
  const mail: SentEmail = { kind: 'otp', to, subject: 'News', html: '', text: '', sentAt: 0, ...notice }
  // The run may have ended, and its mail sink with it.
  setTimeout(
    () =>
      void servicesOf(reference)
        .mail.send(mail)
        .catch(() => {}),
    late,
  )
}

/** Emails each new account. */
export function welcomes(notice: Notice, late = 0): Make {
  return on('createRecord', async (request, next, _match, tools) => {
    const { email, password } = (await parsedBody(request)) ?? {}
    const response = await next(request)
    if (response.ok && password !== undefined) notify(tools, email, notice, late)
    return response
  })
}

/**
 * A new account is asked at once to verify its address.
 *
 * @param late milliseconds after the response, or before it
 */
export function verifiesAtSignUp(late: number | 'before' = 0): Make {
  return on('createRecord', async (request, next, _match, { reference }) => {
    const { email, password } = (await parsedBody(request)) ?? {}
    const response = await next(request.clone())
    if (!response.ok || typeof email !== 'string' || password === undefined) return response
    const { origin, pathname } = new URL(request.url)
    const headers = { 'content-type': 'application/json' }
    const url = `${origin}${pathname.replace(/records$/, 'request-verification')}`
    const asks = () => next(new Request(url, { method: 'POST', headers, body: JSON.stringify({ email }) }))
    if (late !== 'before') setTimeout(() => void asks().catch(() => {}), late)
    // None comes if the account is verified already.
    else if ((await asks()).ok) await reference.mail.waitFor({ to: email, timeout: 500 }).catch(() => {})
    return response
  })
}

/** Emails an account after each sign-in. */
export function alertsSignIns(notice: Notice, late = 0): Make {
  return afterOk(SIGN_INS, (tools, _request, { record }) => {
    if (isJsonObject(record)) notify(tools, record.email, notice, late)
  })
}

/** Emails both addresses of an account after a change of the password or the address. */
export function tellsChanges(notice: Notice, late = 0): Make {
  const addresses = new Map<unknown, unknown>()
  const asked = new Map<unknown, unknown>()
  const remember = afterOk([...SIGN_INS, 'createRecord'], (_tools, _request, body) => {
    const record = isJsonObject(body.record) ? body.record : body
    addresses.set(record.id, record.email)
  })
  const change = afterOk('requestEmailChange', (_tools, request, _body, { newEmail }) => {
    asked.set(claimsIn(tokenIn(request))?.id, newEmail)
  })
  const tell = afterOk(
    ['confirmPasswordReset', 'confirmEmailChange'],
    (tools, _request, _body, { token }) => {
      const id = claimsIn(String(token))?.id
      for (const address of [addresses.get(id), asked.get(id)]) notify(tools, address, notice, late)
    },
  )
  return all(remember, change, tell)
}

function afterOk(
  operations: Operations,
  act: (tools: FaultTools, request: Request, body: JsonValue, sent: JsonValue) => void,
): Make {
  return on(operations, async (request, next, _match, tools) => {
    const sent = (await parsedBody(request)) ?? {}
    const response = await next(request.clone())
    const body: unknown = response.ok
      ? await response
          .clone()
          .json()
          .catch(() => ({}))
      : undefined
    if (response.ok) act(tools, request, isJsonObject(body) ? body : {}, sent)
    return response
  })
}
