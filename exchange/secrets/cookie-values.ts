import { formDecoded } from '../percent-decoded.ts'

/** Names of attributes: they say what a cookie is for, and are not its value. */
const attribute = /^(?:domain|expires|max-age|path|priority|samesite)$/i

/** The decoded values of the cookies in a `Cookie` or `Set-Cookie` header; undefined for any other header. */
export function cookieValues(header: string, value: string): string[] | undefined {
  if (!/^(?:set-)?cookie$/i.test(header)) return undefined
  // Only `Set-Cookie` has attributes, and the first pair is the cookie itself.
  const hasAttributes = /^set-/i.test(header)
  const pairs = value.matchAll(/(^|[;,]\s*)([^=;,\s]+)=([^;,]*)/g)
  return [...pairs].flatMap(([, before = '', key = '', text = '']) =>
    hasAttributes && before.startsWith(';') && attribute.test(key) ? [] : [formDecoded(text) ?? text],
  )
}
