/**
 * What a proxy passes on of the head of a message (RFC 9110, section 7.6.1): all but the hop-by-hop headers, which are the
 * well-known ones and those that the sender lists in `Connection`.
 *
 * @module
 */

/** Hop-by-hop headers, and those for the proxy itself. */
const hopByHop = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authentication-info',
  'proxy-authorization',
  'te',
  // Trailers are not passed on, and Node throws if one is announced for a body that is not chunked.
  'trailer',
  'upgrade',
]

/**
 * Headers for framing and routing. `Connection` must not list them: without them the rest of the body would be parsed
 * as the next message. Node writes the body with the framing that they announce.
 */
const framing = ['host', 'content-length', 'transfer-encoding']

/** The headers to pass on, in their original order and case. @param host replaces the one in the request */
export function forwarded(raw: readonly string[], host?: string): string[] {
  const dropped = new Set([...optionsOf(raw), ...hopByHop])
  for (const name of framing) dropped.delete(name)
  const kept: string[] = []
  for (const [name, value] of headersIn(raw)) {
    const lower = name.toLowerCase()
    if (!dropped.has(lower)) kept.push(name, lower === 'host' && host !== undefined ? host : value)
  }
  return kept
}

/**
 * The request target as a path. Clients that use this as a forward proxy send an absolute URL, which every server must
 * accept (RFC 9112, section 3.2.2).
 */
export function targetPath(target = '/'): string {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '')
  return /^(?:\/|\*$)/.test(path) ? path : `/${path}`
}

/** The options of all `Connection` headers, in lower case. */
export function optionsOf(raw: readonly string[]): string[] {
  const options: string[] = []
  for (const [name, value] of headersIn(raw)) {
    if (name.toLowerCase() !== 'connection') continue
    for (const option of value.split(',')) options.push(option.trim().toLowerCase())
  }
  return options.filter((option) => option !== '')
}

/** Pairs from a flat list of names and values. */
export function* headersIn(raw: readonly string[]): Generator<[name: string, value: string]> {
  for (let at = 0; at + 1 < raw.length; at += 2) yield [raw[at] ?? '', raw[at + 1] ?? '']
}
