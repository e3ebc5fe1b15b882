/**
 * Access control for what is not part of the interface: the console and the control endpoints. They expose every secret
 * of the server, so pages of other sites must not reach them, neither by a cross-origin request nor by DNS rebinding.
 *
 * @module
 */

const loopbackAddress = /^(127\.\d+\.\d+\.\d+|::1)$/
const loopbackHost = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])(:\d+)?$/i

export interface AccessGate {
  /** Accept pages of the same origin only. Otherwise pages of any origin on this machine. */
  sameOrigin: boolean
}

/**
 * Why a request is rejected; undefined if it is accepted.
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
    // Without an Origin header a browser still sends whether another page made the request.
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
