/**
 * HAR 1.2, as browsers, proxies and our own proxy write it.
 *
 * @module
 */

import { isJson } from '../../exchange/is-json.ts'
import type { HeaderBag, PlainExchange } from '../vocabulary.ts'

interface HarMessage {
  headers?: { name?: unknown; value?: unknown }[]
}
interface HarContent {
  text?: string
  encoding?: string
  mimeType?: string
  size?: number
}
interface HarEntry {
  request?: HarMessage & { method?: string; url?: string; postData?: { text?: string } }
  response?: HarMessage & { status?: number; bodySize?: number; content?: HarContent }
}

export function isHar(content: unknown): content is { log: { entries: unknown[] } } {
  const { log } = (content ?? {}) as { log?: { entries?: unknown } }
  return Array.isArray(log?.entries)
}

/** @returns undefined for an entry without an answer: it was blocked, or cut off */
export function exchangeInHar(entry: unknown): PlainExchange | undefined {
  const { request, response } = (entry ?? {}) as HarEntry
  if (typeof request?.url !== 'string' || typeof response?.status !== 'number' || response.status === 0)
    return undefined
  const { text, encoding, mimeType } = response.content ?? {}
  const headers = headersOf(response)
  // The text stands there unpacked, whatever the header says.
  delete headers['content-encoding']
  headers['content-type'] ??= mimeType
  const missing = missingBody(response)
  return {
    request: {
      method: request.method,
      url: request.url,
      headers: headersOf(request),
      body: request.postData?.text,
    },
    response: {
      status: response.status,
      headers,
      body: encoding === 'base64' && text !== undefined ? Buffer.from(text, 'base64') : text,
    },
    ...(missing !== undefined && { unjudged: missing }),
  }
}

/** Recorders leave bodies out, or cut them: what was not recorded is not judged. */
function missingBody({
  content = {},
  bodySize = 0,
  ...message
}: HarMessage & NonNullable<HarEntry['response']>) {
  const { text, size = 0, encoding } = content
  const announced = Number(headersOf(message)['content-length'] ?? 0)
  if (text === undefined)
    return size !== 0 || bodySize > 0 || announced > 0 ? 'the recording has no body' : undefined
  const cut = encoding !== 'base64' && size > Buffer.byteLength(text) && !isJson(text)
  return cut ? 'the recording has only the beginning of the body' : undefined
}

function headersOf({ headers }: HarMessage): Record<string, string | undefined> & HeaderBag {
  const list = Array.isArray(headers) ? headers : []
  return Object.fromEntries(list.map((each) => [String(each?.name).toLowerCase(), String(each?.value)]))
}
