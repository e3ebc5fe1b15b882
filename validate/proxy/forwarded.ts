/**
 * Which headers a proxy passes on (RFC 9110, section 7.6.1): all but those of one connection, which are the ones that
 * are known and the ones that the sender names in `Connection`.
 *
 * @module
 */

/** They belong to one connection, or are meant for the proxy itself. */
const hopByHop = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authentication-info',
  'proxy-authorization',
  'te',
  // Trailers are not passed on; and node throws where one is announced for a body that is not chunked.
  'trailer',
  'upgrade',
]

/**
 * They say where a message ends and for whom it is. `Connection` must not name them: without them the rest of the body
 * would be taken for the next message. Node writes the body in the framing that they announce.
 */
const framing = ['host', 'content-length', 'transfer-encoding']

/** Headers as they came, in their order and case. @param host in place of the one that was asked for */
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

/** The options of all `Connection` headers, in lower case. */
export function optionsOf(raw: readonly string[]): string[] {
  const options: string[] = []
  for (const [name, value] of headersIn(raw)) {
    if (name.toLowerCase() !== 'connection') continue
    for (const option of value.split(',')) options.push(option.trim().toLowerCase())
  }
  return options.filter((option) => option !== '')
}

/** Of a list of names and values in turn. */
export function* headersIn(raw: readonly string[]): Generator<[name: string, value: string]> {
  for (let at = 0; at + 1 < raw.length; at += 2) yield [raw[at] ?? '', raw[at + 1] ?? '']
}
