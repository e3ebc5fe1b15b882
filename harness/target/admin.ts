/**
 * The server's own HTTP API, as its superuser.
 *
 * @module
 */

import { directFetch } from '../../exchange/direct-fetch.ts'
import { ConfigurationError } from '../errors.ts'
import type { SetupInput } from './setup.ts'

export interface Admin {
  /** A call below the prefix. @throws Error with status and body if it is rejected */
  call(method: string, path: string, body?: unknown): Promise<unknown>
  /** How the suite signs in as the superuser; absent if a token was given. */
  signIn?: { table: string; identity: string; password: string }
}

const patience = 30_000

/**
 * Signs in with the credentials in the environment. Undefined if there are none.
 *
 * @throws ConfigurationError if the server cannot be reached or rejects the superuser
 */
export async function createAdmin({
  baseUrl,
  prefix,
  environment,
}: Pick<SetupInput, 'baseUrl' | 'prefix' | 'environment'>): Promise<Admin | undefined> {
  const {
    CONFORMANCE_SUPERUSER_TOKEN: given,
    CONFORMANCE_SUPERUSER_IDENTITY: identity,
    CONFORMANCE_SUPERUSER_PASSWORD: password,
  } = environment
  let token = given ?? ''

  async function call(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await directFetch(`${baseUrl}${prefix}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(token === '' ? {} : { authorization: token }) },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(patience),
      // The password of the superuser must not be sent to another server.
      redirect: 'manual',
    }).catch((error: Error & { cause?: { code?: string } }) => {
      throw new ConfigurationError(
        `the server is not reachable (${error.cause?.code ?? error.message})`,
        `${baseUrl}${prefix}`,
        'start the server, or correct --base-url',
      )
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text.slice(0, 400)}`)
    return text === '' ? undefined : JSON.parse(text)
  }

  if (token !== '') return { call }
  if (!identity || !password) return undefined
  const signIn = { table: '_superusers', identity, password }
  try {
    const response = await call('POST', '/collections/_superusers/auth-with-password', { identity, password })
    token = (response as { token: string }).token
  } catch (error) {
    if (error instanceof ConfigurationError) throw error
    throw new ConfigurationError(
      `the superuser was rejected: ${(error as Error).message}`,
      `${baseUrl}${prefix}, as ${identity}`,
      'correct CONFORMANCE_SUPERUSER_IDENTITY and CONFORMANCE_SUPERUSER_PASSWORD',
    )
  }
  return { call, signIn }
}

const page = 500

/** The definition of every table on the server, as the family exports them. @throws Error as `call` */
export async function listTables(admin: Admin): Promise<Record<string, unknown>[]> {
  const tables: Record<string, unknown>[] = []
  for (let number = 1; tables.length === (number - 1) * page; number += 1) {
    const path = `/collections?perPage=${page}&page=${number}&skipTotal=1`
    const { items } = (await admin.call('GET', path)) as { items: Record<string, unknown>[] }
    if (items.length === 0) break
    tables.push(...items)
  }
  return tables
}
