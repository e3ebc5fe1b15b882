/**
 * What the servers share, since it decides nothing that the document leaves open: reading JSON, SMTP, the client's side
 * of RFC 6749 and 7636, and secrets that follow from a seed.
 *
 * @module
 */

import { createHash } from 'node:crypto'
import { createTransport } from 'nodemailer'
import { isObject } from '../../../exchange/json-object.ts'
import type { ProviderFacts } from '../../../harness/target/with-provider.ts'
import type { Surroundings } from './server.ts'

export type Fields = Record<string, unknown>

/** Thrown where a request is rejected. Which body such a response has is for each server to say. */
export class RejectedRequest extends Error {
  readonly status: 400 | 401 | 403 | 404 | 405 | 409 | 410 | 415 | 422 | 501
  constructor(status: RejectedRequest['status'], reason: string) {
    super(reason)
    this.status = status
  }
}

/** The JSON object that a request carries; undefined if it carries something else. */
export async function bodyObject(request: Request): Promise<Fields | undefined> {
  try {
    const body: unknown = JSON.parse(await request.text())
    return isObject(body) ? body : undefined
  } catch {
    return undefined
  }
}

/** The form of section 2.1. */
export function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('T', ' ')
}

/** Bytes that no one can guess, and that are the same for the same seed. */
export function secrets(seed: number, server: string): (bytes: number) => Buffer {
  let given = 0
  return (bytes) => createHash('sha512').update(`${server} ${seed} ${given++}`).digest().subarray(0, bytes)
}

/** What is kept of a password. A server that people use would take its time for this. */
export function hashed(password: string): string {
  return createHash('sha256').update(`pepper ${password}`).digest('base64')
}

/** Sends emails to the sink of the run. */
export function mailer({ smtp }: Surroundings): (to: string, subject: string, text: string) => Promise<void> {
  const transport = createTransport({ host: smtp.host, port: smtp.port, secure: false, ignoreTLS: true })
  return async (to, subject, text) => {
    await transport.sendMail({ from: 'service@example.com', to, subject, text })
  }
}

/** What a client needs to send a browser to the provider. */
export function visit({ authURL, clientId }: ProviderFacts, verifier: string) {
  const codeChallenge = createHash('sha256').update(verifier).digest('base64url')
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    scope: 'openid email',
    state: verifier.slice(0, 12),
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
  })
  return { authURL: `${authURL}?${query}&redirect_uri=`, codeVerifier: verifier, codeChallenge }
}

/** Who the provider says it is; undefined if it rejects the code. */
export async function person(
  { tokenURL, userInfoURL, clientId, clientSecret }: ProviderFacts,
  { code, verifier, redirectURL }: { code: string; verifier: string; redirectURL: string },
): Promise<{ sub: string; email: string } | undefined> {
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    redirect_uri: redirectURL,
    client_id: clientId,
    client_secret: clientSecret,
  })
  const response = await fetch(tokenURL, { method: 'POST', body })
  if (!response.ok) return undefined
  const { access_token: token } = (await response.json()) as Fields
  const info = await fetch(userInfoURL, { headers: { authorization: `Bearer ${token}` } })
  const { sub, email } = (await info.json()) as Fields
  return typeof sub === 'string' && typeof email === 'string' ? { sub, email } : undefined
}
