/**
 * Calls a reference inside the process, for tests of its own rooms.
 *
 * @module
 */

import type { Reference } from '../../reference/reference.ts'

export interface Called {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers as they expect them to be.
  body: any
  text: string
  headers: Headers
}

export interface CallOptions {
  token?: string
  headers?: Record<string, string>
}

/** Sends JSON, or a form when the body is `FormData`, or text as it is. */
export async function call(
  reference: Reference,
  line: string,
  body?: unknown,
  { token, headers = {} }: CallOptions = {},
): Promise<Called> {
  const [method = 'GET', path = '/'] = line.split(' ', 2)
  const plain = body instanceof FormData || typeof body === 'string' || body instanceof Uint8Array
  const response = await reference.fetch(`${reference.prefix}${path}`, {
    method,
    headers: {
      ...(body !== undefined && !(body instanceof FormData) && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: token }),
      ...headers,
    },
    ...(body !== undefined && { body: plain ? (body as FormData) : JSON.stringify(body) }),
  })
  const text = await response.text()
  return {
    status: response.status,
    body: text === '' ? undefined : JSON.parse(text),
    text,
    headers: response.headers,
  }
}

/** Signs in and gives the token. */
export async function signIn(
  reference: Reference,
  table: string,
  identity: string,
  password: string,
): Promise<string> {
  const { status, body, text } = await call(reference, `POST /collections/${table}/auth-with-password`, {
    identity,
    password,
  })
  if (status !== 200) throw new Error(`Sign-in of ${identity} failed: ${text}`)
  return body.token
}
