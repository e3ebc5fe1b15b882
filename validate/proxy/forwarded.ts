/** They belong to one connection, not to the message. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'te',
  // Trailers are not passed on; and node throws where one is announced for a body that is not chunked.
  'trailer',
  'upgrade',
])

/** Headers as they came, in their order and case. @param host in place of the one that was asked for */
export function forwarded(raw: readonly string[], host?: string): string[] {
  const kept: string[] = []
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at] as string
    const lower = name.toLowerCase()
    if (hopByHop.has(lower)) continue
    kept.push(name, lower === 'host' && host !== undefined ? host : (raw[at + 1] as string))
  }
  return kept
}
