/**
 * The base URL of a target, from an option or a file.
 *
 * @module
 */

import { bareHost } from '../../exchange/bare-host.ts'
import { ConfigurationError } from '../errors.ts'

/** What the address is, unless a caller says otherwise. */
const usual = 'base URL'

/**
 * The address without slashes at its end. One with credentials is rejected, since every report shows it, and so is one
 * with a query or a fragment, which no request would have. A rejected address is shown only if it cannot contain a
 * password.
 *
 * @param place of the address, for messages
 * @param what it is, for messages
 * @throws ConfigurationError
 */
export function checkedUrl(text: string, place: string, what: string = usual): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new ConfigurationError(
      `${text.includes('@') ? `the ${what}` : `"${text}"`} is not an http or https URL`,
      place,
      /^(?:[\w-]+(?:\.[\w-]+)*|\[[\da-f:]+\]):\d{1,5}(?:\/[\w./-]*)?$/i.test(text)
        ? `did you mean http://${text}?`
        : 'use the part before the prefix, such as http://127.0.0.1:8090',
    )
  }
  if (url.username !== '' || url.password !== '') {
    throw new ConfigurationError(
      `the ${what} contains credentials`,
      place,
      'put credentials of the server in environment variables or in the target file. If a gateway requires Basic authentication, use the address of the server behind it: the interface needs the Authorization header for its own tokens',
    )
  }
  if (/[?#]/.test(text)) {
    throw new ConfigurationError(
      `the ${what} has a query or a fragment, which no request would have`,
      place,
      `remove everything from "?" or "#" on${what === usual ? '. If a gateway in front of the server needs a key, send it with --header' : ''}`,
    )
  }
  return text.replace(/\/+$/, '')
}

/**
 * The usual spelling of an address of this machine that is not known to be one: a server that prints `0.0.0.0` listens at
 * all addresses, and a system may have other ideas of the rest.
 */
export function usualSpelling(address: string): string | undefined {
  const { protocol, hostname, port } = new URL(address)
  const isThisMachine = /^(?:0\.0\.0\.0|\[::\]|localhost\.|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])$/i.test(
    hostname,
  )
  return isThisMachine ? `${protocol}//127.0.0.1${port === '' ? '' : `:${port}`}` : undefined
}

/** Names and addresses of this machine. */
export function isLoopback(host: string): boolean {
  const bare = bareHost(host).toLowerCase()
  return (
    bare === 'localhost' || bare.endsWith('.localhost') || bare === '::1' || /^127(\.\d{1,3}){3}$/.test(bare)
  )
}
