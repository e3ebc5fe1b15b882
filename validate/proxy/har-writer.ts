/**
 * Writes a HAR file exchange by exchange, so that a long recording needs no memory. Secrets are replaced first.
 *
 * @module
 */

import { isUtf8 } from 'node:buffer'
import { closeSync, fstatSync, openSync, writeSync } from 'node:fs'
import { type HarFacts, harEntry } from '../../exchange/har/har-entry.ts'
import type { NameValue } from '../../exchange/har/http-archive.ts'
import { isJson } from '../../exchange/is-json.ts'
import { type BodySide, Redactor, responseSide } from '../../exchange/secrets/redactor.ts'
import { visibleJson } from '../../exchange/visible.ts'

/** What `HarFacts` says, with headers and bodies as the proxy received them, secrets included. */
export interface HarExchange
  extends Pick<HarFacts, 'started' | 'ms'>,
    Pick<HarFacts['request'], 'method' | 'url'>,
    Pick<HarFacts['response'], 'status' | 'statusText'> {
  requestHeaders: readonly string[]
  requestSize: number
  /** Undefined if it was too large to keep. */
  requestBody: Uint8Array | undefined
  responseHeaders: readonly string[]
  /** Undefined if it was too large to keep. */
  responseBody: Uint8Array | undefined
  /** The violations of the exchange. */
  comment: string
}

export interface HarWriter {
  add(exchange: HarExchange): void
  close(): void
}

const noText = { comment: 'the body was omitted: it is binary, too large, or cannot be redacted' }

/** The file is complete after every exchange, even if the process is killed. @throws if it cannot be written */
export function createHarWriter(file: string, creator: { name: string; version: string }): HarWriter {
  const redactor = new Redactor()
  const handle = openSync(file, 'w', 0o600)
  // A pipe cannot be rewritten: the end is written when it is closed.
  const takesBack = fstatSync(handle).isFile()
  const end = '\n]}}\n'
  let at = 0
  const append = (text: string) => {
    if (takesBack) writeSync(handle, text + end, at)
    else writeSync(handle, text)
    at += Buffer.byteLength(text)
  }
  append(`{"log":{"version":"1.2","creator":${JSON.stringify(creator)},"entries":[\n`)
  let separator = ''
  return {
    add(exchange) {
      append(separator + visibleJson(harEntry(factsOf(exchange, redactor))))
      separator = ',\n'
    },
    close() {
      if (!takesBack) writeSync(handle, end)
      closeSync(handle)
    },
  }
}

function factsOf(exchange: HarExchange, redactor: Redactor): HarFacts {
  const { started, ms, method, url, status, statusText, requestBody, responseBody, comment } = exchange
  const { requestSize: size } = exchange
  const sent = requestBody && textOf(requestBody, 'request', redactor)
  const got = responseBody && textOf(responseBody, responseSide(status), redactor)
  return {
    started,
    ms,
    request: {
      method,
      url: redactor.url(url),
      headers: pairs(exchange.requestHeaders, redactor),
      size,
      body: size === 0 ? undefined : { text: sent ?? '', ...(sent === undefined && noText) },
    },
    response: {
      status,
      statusText,
      headers: pairs(exchange.responseHeaders, redactor),
      size: -1,
      body: { size: responseBody?.length ?? -1, ...(got === undefined ? noText : { text: got }) },
    },
    comment,
  }
}

/**
 * Undefined for a binary body: secrets cannot be found in it, so it is not kept. Nor is a body that redaction turns
 * into invalid JSON (a numeric password may be part of a number): validation would blame the server.
 */
function textOf(bytes: Uint8Array, side: BodySide, redactor: Redactor): string | undefined {
  if (!isUtf8(bytes)) return undefined
  const text = Buffer.from(bytes).toString('utf8')
  const shown = redactor.body(text, side)
  return shown === text || isJson(shown) || !isJson(text) ? shown : undefined
}

function pairs(raw: readonly string[], redactor: Redactor): NameValue[] {
  const list: NameValue[] = []
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at] ?? ''
    const value = redactor.headers({ [name]: raw[at + 1] ?? '' }, 'client')[name] ?? ''
    list.push({ name, value })
  }
  return list
}
