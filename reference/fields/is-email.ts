/**
 * Which strings the server accepts as addresses: in records, and where its own options require one.
 *
 * @module
 */

const wide = '\\u00A0-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFEF'
const atom = new RegExp(`^[A-Za-z0-9!#$%&'*+/=?^_\`{|}~${wide}-]+$`)
const quoted = new RegExp(`^"[A-Za-z0-9!#$%&'*+/=?^_\`{|}~${wide}-]+"$`)
const outer = `A-Za-z0-9${wide}`
const host = new RegExp(`^[${outer}](?:[${outer}._~-]*[${outer}])?$`)
const topLevel = new RegExp(`^[A-Za-z${wide}](?:[${outer}_~-]*[A-Za-z${wide}])?$`)

/** No mail server accepts an address of a tenth of this length, and a pattern must not run over megabytes. */
const longest = 4096

/**
 * Whether a string is an email address as the profile defines it: a local part of atoms or in quotes, with any letters,
 * and a domain with at least one dot (contract-records 3.2). The pattern has no nested repeats, so its time is linear.
 */
export function isEmail(text: string): boolean {
  const at = text.indexOf('@')
  if (at < 1 || text.length > longest) return false
  return isLocalPart(text.slice(0, at)) && isDomain(text.slice(at + 1))
}

function isLocalPart(local: string): boolean {
  return quoted.test(local) || local.split('.').every((part) => atom.test(part))
}

function isDomain(text: string): boolean {
  const domain = text.endsWith('.') ? text.slice(0, -1) : text
  const dot = domain.lastIndexOf('.')
  return dot > 0 && host.test(domain.slice(0, dot)) && topLevel.test(domain.slice(dot + 1))
}

/** Whether a text has the form of an address, whatever its domain: settings and pretended users may have any. */
export function hasAddressForm(text: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(text)
}
