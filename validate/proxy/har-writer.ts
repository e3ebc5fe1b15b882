/**
 * Writes a HAR as exchanges come, so that a long recording needs no memory. Secrets are replaced before they are kept.
 *
 * @module
 */

import { closeSync, openSync, writeSync } from 'node:fs'
import { Redactor } from '../../harness/redact.ts'

export interface HarExchange {
  started: Date
  ms: number
  method: string
  url: string
  requestHeaders: readonly string[]
  requestBody: string
  status: number
  statusText: string
  responseHeaders: readonly string[]
  responseBody: string
  /** What the exchange breaks. */
  comment: string
}

export interface HarWriter {
  add(exchange: HarExchange): void
  close(): void
}

/** @throws when the file cannot be written */
export function createHarWriter(file: string, creator: { name: string; version: string }): HarWriter {
  const redactor = new Redactor()
  const handle = openSync(file, 'w', 0o600)
  writeSync(handle, `{"log":{"version":"1.2","creator":${JSON.stringify(creator)},"entries":[\n`)
  let separator = ''
  return {
    add(exchange) {
      writeSync(handle, separator + JSON.stringify(entryOf(exchange, redactor)))
      separator = ',\n'
    },
    close() {
      writeSync(handle, '\n]}}\n')
      closeSync(handle)
    },
  }
}

function entryOf(exchange: HarExchange, redactor: Redactor): object {
  const { started, ms, method, url, status, statusText, requestBody, responseBody, comment } = exchange
  const requestHeaders = pairs(exchange.requestHeaders, redactor)
  const responseHeaders = pairs(exchange.responseHeaders, redactor)
  const type = (headers: { name: string; value: string }[]) =>
    headers.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? ''
  const sent = redactor.body(requestBody, 'request')
  const address = redactor.url(url)
  return {
    startedDateTime: started.toISOString(),
    time: ms,
    request: {
      method,
      url: address,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: requestHeaders,
      queryString: [...new URL(address, 'http://x').searchParams].map(([name, value]) => ({ name, value })),
      headersSize: -1,
      bodySize: Buffer.byteLength(requestBody),
      ...(sent === '' ? {} : { postData: { mimeType: type(requestHeaders), text: sent } }),
    },
    response: {
      status,
      statusText,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: responseHeaders,
      content: {
        size: Buffer.byteLength(responseBody),
        mimeType: type(responseHeaders),
        text: redactor.body(responseBody, 'response'),
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { send: 0, wait: ms, receive: 0 },
    ...(comment === '' ? {} : { comment }),
  }
}

function pairs(raw: readonly string[], redactor: Redactor): { name: string; value: string }[] {
  const list: { name: string; value: string }[] = []
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at] ?? ''
    const value = redactor.headers({ [name]: raw[at + 1] ?? '' }, 'client')[name] ?? ''
    list.push({ name, value })
  }
  return list
}
