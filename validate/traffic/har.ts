/**
 * HAR 1.2, as browsers, proxies and our own proxy write it.
 *
 * @module
 */

import type { PlainExchange } from '../vocabulary.ts'

interface HarMessage {
  headers?: { name: string; value: string }[]
}
interface HarEntry {
  request?: HarMessage & { method?: string; url?: string; postData?: { text?: string } }
  response?: HarMessage & {
    status?: number
    content?: { text?: string; encoding?: string; mimeType?: string; size?: number }
  }
}

export function isHar(content: unknown): content is { log: { entries: unknown[] } } {
  const { log } = (content ?? {}) as { log?: { entries?: unknown } }
  return Array.isArray(log?.entries)
}

/** Entries without an answer (status 0: blocked, or cut off) are left out. */
export function exchangesInHar({ log }: { log: { entries: unknown[] } }): PlainExchange[] {
  return log.entries.flatMap((entry) => {
    const { request, response } = entry as HarEntry
    if (request?.url === undefined || response?.status === undefined || response.status === 0) return []
    const { text, encoding, mimeType, size = 0 } = response.content ?? {}
    const headers = new Map(response.headers?.map(({ name, value }) => [name.toLowerCase(), value]))
    // The text stands there unpacked, whatever the header says.
    headers.delete('content-encoding')
    if (!headers.has('content-type') && mimeType) headers.set('content-type', mimeType)
    // Some recorders leave bodies out: what was not recorded is not judged.
    if (text === undefined && size > 0) return []
    return [
      {
        request: {
          method: request.method,
          url: request.url,
          headers: Object.fromEntries(
            request.headers?.map(({ name, value }) => [name.toLowerCase(), value]) ?? [],
          ),
          body: request.postData?.text,
        },
        response: {
          status: response.status,
          headers: Object.fromEntries(headers),
          body: encoding === 'base64' && text !== undefined ? Buffer.from(text, 'base64') : text,
        },
      },
    ]
  })
}
