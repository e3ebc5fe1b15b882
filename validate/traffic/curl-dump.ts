/**
 * What `curl -i` prints, and `curl -v` with both streams together. With `-v` the dump tells its request; otherwise the
 * caller has to.
 *
 * @module
 */

import type { KnownRequest, PlainExchange } from '../vocabulary.ts'

const statusLine = /^(?:< )?HTTP\/[\d.]+ (\d{3})/
const requestLine = /^> ([A-Z]+) (\S+) HTTP\//

export function isCurlDump(text: string): boolean {
  return statusLine.test(text) || /^(?:[*>{}] |\* )/.test(text)
}

/**
 * @param known for dumps that do not tell their request
 * @throws Error when neither does
 */
export function exchangesInCurlDump(text: string, known: KnownRequest): PlainExchange[] {
  const found: PlainExchange[] = []
  let request: { method?: string; url?: string; headers: Record<string, string> } = { headers: {} }
  let response: { status: number; headers: Record<string, string>; body: string[]; head: boolean } | undefined

  function finish(): void {
    // 100 Continue and its kind come before the answer; a redirection before the next one.
    if (response === undefined || response.status < 200) return
    const { url, ...told } = { ...request, ...known }
    if (url === undefined)
      throw new Error(
        'the dump does not tell its request; name it, for example --request "GET /api/v1/collections/notes/records"',
      )
    const body = response.body.join('\n')
    found.push({
      request: { ...told, url },
      response: {
        status: response.status,
        headers: response.headers,
        body: body.endsWith('\n') ? body.slice(0, -1) : body,
      },
    })
  }

  for (const line of text.split(/\r?\n/)) {
    const status = statusLine.exec(line)
    const asked = requestLine.exec(line)
    if (asked !== null) {
      finish()
      response = undefined
      request = { method: asked[1] ?? 'GET', url: asked[2] ?? '/', headers: {} }
    } else if (status !== null) {
      finish()
      response = { status: Number(status[1]), headers: {}, body: [], head: true }
    } else if (line.startsWith('> ')) put(request.headers, line.slice(2))
    else if (/^[*{}] /.test(line) || line === '>') continue
    else if (response !== undefined) {
      const head = line.startsWith('< ') ? line.slice(2) : line
      if (!response.head) response.body.push(line)
      else if (line === '' || line === '<') response.head = false
      else put(response.headers, head)
    }
  }
  finish()
  return found
}

function put(headers: Record<string, string>, line: string): void {
  const colon = line.indexOf(':')
  if (colon > 0) headers[line.slice(0, colon).trim().toLowerCase()] = line.slice(colon + 1).trim()
}
