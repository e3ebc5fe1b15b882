/**
 * The control endpoints, over a socket, inside this process: of a server that ends with its test.
 *
 * @module
 */

import { onTestFinished } from 'vitest'
import { servedSuperuser as superuser } from '../../scripts/support/served-superuser.ts'
import { createControl } from '../../serve/control.ts'
import { readShape } from '../../serve/read-shape.ts'
import { startServing } from '../../serve/serving.ts'

/** What it serves. */
export const controlledData = () =>
  readShape({
    users: [{ id: 'ann', email: 'ann@example.com', password: 'secret1234' }],
    posts: [{ id: 'p1', title: 'one' }],
  })

interface ReportedResponse {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: answers of many forms, looked into by expectations only
  body: any
}

/** A server with an account and a post, and what sends requests to its control endpoints and its interface. */
export async function startControlled() {
  const started = await startServing({
    data: controlledData(),
    seed: 7,
    superuser,
    handlers: [createControl],
  })
  onTestFinished(() => started.close())
  const send = async (path: string, init: RequestInit = {}): Promise<ReportedResponse> => {
    const response = await fetch(started.url + path, init)
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }
  const json = { 'content-type': 'application/json' }
  return {
    started,
    send,
    get: (path: string) => send(`/_conformance/${path}`),
    post: (path: string, body: unknown = {}, headers = {}) =>
      send(`/_conformance/${path}`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { ...json, ...headers },
      }),
    api: (path: string, body?: unknown, authorization = '') =>
      send(`/api/v1/collections/${path}`, {
        headers: { ...json, authorization },
        ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      }),
  }
}
