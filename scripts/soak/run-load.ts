/**
 * The load of the soak: clients that each go through rounds of ordinary requests, rejected ones among them, until enough
 * have been sent. Ids, strings and filters differ each time. A round deletes what it creates, so the data stays level.
 *
 * @module
 */

import { setMaxListeners } from 'node:events'
import { Pool } from 'undici'
import { soakAccounts, soakPassword } from './soak-data.ts'

export interface LoadOptions {
  /** Origin with the path prefix: `http://127.0.0.1:8090/api/v1`. */
  url: string
  /** Ends after at least this many requests, once every client has finished its round. */
  requests: number
  /** Requests under way at the same time. */
  clients: number
  signal: AbortSignal
  /** Called after every response, with the number of responses so far. */
  onResponse(sent: number): void
}

export interface LoadResult {
  sent: number
  /** How many responses had a status that the request should not get, and the first few of them in words. */
  unexpected: number
  examples: string[]
}

const mostExamples = 5

type Send = (
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  expected: number,
  body?: unknown,
  token?: string,
) => Promise<Record<string, unknown>>

/** Runs the load. @throws the connection's error if the server has ended */
export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const { url, requests, clients, signal, onResponse } = options
  const { origin, pathname } = new URL(url)
  const pool = new Pool(origin, { connections: clients, bodyTimeout: 60_000, headersTimeout: 60_000 })
  // Every request under way listens to it.
  setMaxListeners(0, signal)
  const result: LoadResult = { sent: 0, unexpected: 0, examples: [] }

  const send: Send = async (method, path, expected, body, token) => {
    const response = await pool.request({
      method,
      path: pathname + path,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: token }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal,
    })
    const text = await response.body.text()
    result.sent += 1
    if (response.statusCode !== expected) {
      result.unexpected += 1
      if (result.examples.length < mostExamples)
        result.examples.push(`${method} ${path}: ${response.statusCode} instead of ${expected}: ${text}`)
    }
    onResponse(result.sent)
    return text === '' ? {} : JSON.parse(text)
  }

  async function client(number: number): Promise<void> {
    for (let round = 0; result.sent < requests && !signal.aborted; round += 1)
      await runRound(send, number, round)
  }
  try {
    await Promise.all(Array.from({ length: clients }, (_, number) => client(number)))
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    await pool.destroy()
  }
  return result
}

const posts = '/collections/posts/records'
const users = '/collections/users'

/** 18 requests, and in every eighth round six more about an account that comes and goes. */
async function runRound(send: Send, client: number, round: number): Promise<void> {
  const mark = `c${client}r${round}`
  const account = (client + round) % soakAccounts
  const author = `user${String(account).padStart(11, '0')}`
  const title = `soak ${mark} ${'x'.repeat(round % 80)}`
  const { id } = await send('POST', posts, 200, {
    title,
    rating: round % 10,
    author,
    extra: { mark, list: [round] },
  })
  const post = `${posts}/${id}`
  await send('GET', post, 200)
  await send('GET', `${post}?expand=author&fields=id,title,expand.author.name`, 200)
  await send('GET', `${posts}?perPage=20&filter=${encodeURIComponent(`title = "${title}"`)}`, 200)
  const range = `rating >= ${round % 7} && (title ~ "${mark}" || author.name != "User ${round}")`
  await send('GET', `${posts}?perPage=30&page=2&sort=-rating,title&filter=${encodeURIComponent(range)}`, 200)
  await send('PATCH', post, 200, { 'rating+': 1, 'tags+': 'blue', body: mark.repeat(20) })
  await send('GET', `${posts}?perPage=10&expand=author&sort=-created`, 200)
  // Rejected: a field that is required, a filter that cannot be read, a record that is not there, a body that is not a JSON object.
  await send('POST', posts, 400, { rating: round })
  await send('GET', `${posts}?filter=${encodeURIComponent(`${mark} ~~ 1`)}`, 400)
  await send('GET', `${posts}/none${mark}`, 404)
  await send('PATCH', post, 400, [mark])
  const identity = `user${account}@example.com`
  const session = await send('POST', `${users}/auth-with-password`, 200, { identity, password: soakPassword })
  const token = String(session.token)
  await send('POST', `${users}/auth-with-password`, 400, { identity, password: mark })
  await send('POST', `${users}/auth-refresh`, 200, undefined, token)
  await send('GET', `${users}/records/${author}`, 200, undefined, token)
  await send('POST', '/batch', 200, {
    requests: [{ method: 'PATCH', url: `/api/v1${post}`, body: { title: `${title} again` } }],
  })
  await send('GET', `${users}/auth-methods`, 200)
  await send('DELETE', post, 204)
  if (round % 8 === 0) await runAccount(send, mark)
}

/** An account that comes and goes, and codes for it and for an address that no account has. */
async function runAccount(send: Send, mark: string): Promise<void> {
  const email = `${mark}@example.com`
  const fields = { email, password: soakPassword, passwordConfirm: soakPassword, name: mark }
  const { id } = await send('POST', `${users}/records`, 200, fields)
  const { otpId } = await send('POST', `${users}/request-otp`, 200, { email })
  await send('POST', `${users}/auth-with-otp`, 400, { otpId, password: '00000000' })
  await send('POST', `${users}/request-otp`, 200, { email: `nobody-${mark}@example.com` })
  const { token } = await send('POST', `${users}/auth-with-password`, 200, {
    identity: email,
    password: soakPassword,
  })
  await send('DELETE', `${users}/records/${id}`, 204, undefined, String(token))
}
