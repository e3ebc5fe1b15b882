/**
 * Emails with other wording and another proof.
 *
 * @module
 */

import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import type { SentEmail } from '../../../reference/reference.ts'
import { servicesOf } from '../../../reference/services-of.ts'
import type { FaultTools, Middleware } from '../fault.ts'
import { CONFIRMS } from './auth.ts'
import { all, rewriteBody } from './combinators.ts'

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
