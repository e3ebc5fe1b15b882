/** A host name or address to connect to: an IPv6 address has brackets only in a URL. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '')
}
