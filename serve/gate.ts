/**
 * Who may reach what is no part of the interface: the console and the control endpoints. They hold every secret of the
 * server, so a page of a stranger must not reach them, neither by a request across origins nor by a name that it makes
 * resolve to this machine.
 *
 * @module
 */

const loopbackAddress = /^(127\.\d+\.\d+\.\d+|::1)$/
const loopbackHost = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])(:\d+)?$/i

export interface AccessGate {
  /** Pages of the same origin only. Otherwise pages of any origin on this machine. */
  sameOrigin: boolean
}

/**
 * Why a request may not pass; undefined when it may.
 *
 * @param ip address of the client
 */
export function accessRejection(
  { headers }: Request,
  ip: string | undefined,
  { sameOrigin }: AccessGate,
): string | undefined {
  if (ip === undefined || !loopbackAddress.test(ip)) return 'Only programs on this machine have access.'
  const host = headers.get('host') ?? ''
  if (!loopbackHost.test(host))
    return `The Host header "${host}" is not a name of this machine's loopback address.`
  const origin = headers.get('origin')
  const site = headers.get('sec-fetch-site')
  if (origin === null) {
    // Without an Origin a browser says at least whether another page asked.
    const own = site === null || site === 'same-origin' || site === 'none'
    return own ? undefined : 'Pages of another origin have no access.'
  }
  const page = hostOf(origin)
  if (page === undefined || !loopbackHost.test(page) || (sameOrigin && page !== host))
    return `Pages of ${origin} have no access.`
  return undefined
}

function hostOf(origin: string): string | undefined {
  try {
    const { protocol, host } = new URL(origin)
    return protocol === 'http:' || protocol === 'https:' ? host : undefined
  } catch {
    return undefined
  }
}
