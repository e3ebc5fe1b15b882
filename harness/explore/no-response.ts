/**
 * Explains why an address does not respond, and names the next step. After a failed connection it probes which protocol the
 * port speaks, and whether another port of this machine has a server.
 *
 * @module
 */

import { once } from 'node:events'
import { connect as connectPlain } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { bareHost } from '../../exchange/bare-host.ts'
import { isUntrusted, trustStep } from '../../exchange/is-untrusted.ts'
import { ConfigurationError, type NetworkError } from '../errors.ts'
import { runOptions } from '../run-options.ts'
import { isLoopback } from '../target/checked-url.ts'
import type { ProcessEnvironment } from '../vocabulary/options.ts'

/** Milliseconds for a look at a port. */
const patience = 500
/** Ports at which servers of this kind are started. */
const usualPorts = [8090, 3000, 8080, 8000, 5000, 4000]

/** The end of a next step, for what tests the embedded reference without an address. */
const orOmitted = ', or omit it to test the embedded reference'

/** The same error for a command that tests nothing. */
export function withoutReference(error: ConfigurationError): ConfigurationError {
  const { fact, place, next } = error
  if (!next.endsWith(orOmitted)) return error
  const [first, ...rest] = next.slice(0, -orOmitted.length).split(', ')
  return new ConfigurationError(fact, place, `${first}, or ${rest.join(', ')}`)
}

/** @param timeout of a response, in milliseconds. @default 10000 */
export async function explainNoResponse(
  { fault, cause, message }: Pick<NetworkError, 'fault' | 'cause' | 'message'>,
  baseUrl: string,
  timeout: number = runOptions.timeout.default,
): Promise<ConfigurationError> {
  const { code = '', message: words = '' } = (cause ?? {}) as { code?: string; message?: string }
  const url = new URL(baseUrl)
  const problem = (fact: string, next: string) => new ConfigurationError(fact, baseUrl, next)
  const direct = directly(url)
  if (fault === 'timeout')
    return problem(
      `no complete response from the target within ${timeout} ms${direct}`,
      'check why the server does not respond, or raise --timeout',
    )
  if (code === 'UND_ERR_HEADERS_OVERFLOW')
    return problem(
      'the headers of the response are larger than 16 KiB',
      'check which header the server repeats or fills without end',
    )
  if (isUntrusted(code))
    return problem(
      `the TLS certificate of the server is not trusted (${code})`,
      `${trustStep}, or use the http address of the server`,
    )
  if (url.protocol === 'https:' && /WRONG_VERSION|EPROTO|SSL/.test(`${code} ${words}`))
    return problem('the port does not speak HTTPS', `use --base-url ${withProtocol(url, 'http:')}`)
  if (url.protocol === 'http:' && fault !== 'unreachable' && (await speaksTls(url)))
    return problem('the port speaks HTTPS, not HTTP', `use --base-url ${withProtocol(url, 'https:')}`)
  if (fault === 'cut' || fault === 'malformed')
    return problem(
      `a server listens at this address, but ${fault === 'cut' ? 'closes the connection without a response' : 'its response is not HTTP'}`,
      'check why the server does not respond, or correct --base-url',
    )
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return problem(
      `the host name "${bareHost(url.hostname)}" does not resolve (${code})${direct}`,
      code === 'ENOTFOUND' ? 'correct the host name in --base-url' : 'check the network and its name server',
    )
  const open = code === 'ECONNREFUSED' ? await otherPort(url) : undefined
  return problem(
    `the target is not reachable (${code || words || message})${direct}`,
    `start the server, correct --base-url${open === undefined ? '' : ` (something listens on port ${open})`}${orOmitted}`,
  )
}

/** The next step would mislead a user whose other programs reach the host through a proxy. */
function directly({ hostname, protocol }: URL, environment: ProcessEnvironment = process.env): string {
  if (isLoopback(hostname)) return ''
  const names = protocol === 'https:' ? ['HTTPS_PROXY', 'https_proxy'] : ['HTTP_PROXY', 'http_proxy']
  const name = names.find((each) => environment[each])
  return name === undefined ? '' : `; the suite connects directly, and does not use the proxy of ${name}`
}

function withProtocol({ href }: URL, protocol: string): string {
  return href.replace(/^https?:/, protocol).replace(/\/+$/, '')
}

/** Whether a TLS handshake succeeds; who the server is does not matter here. */
async function speaksTls({ hostname, port }: URL): Promise<boolean> {
  const host = bareHost(hostname)
  const socket = connectTls({ host, port: Number(port || 80), rejectUnauthorized: false, timeout: patience })
  return succeeds(socket, 'secureConnect')
}

/** A usual port with a server. Looked for on this machine only. */
async function otherPort({ hostname, port }: URL): Promise<number | undefined> {
  if (!isLoopback(hostname)) return undefined
  const host = bareHost(hostname)
  const others = usualPorts.filter((each) => String(each) !== port)
  const open = await Promise.all(
    others.map((each) => succeeds(connectPlain({ host, port: each, timeout: patience }), 'connect')),
  )
  return others.find((_, at) => open[at])
}

async function succeeds(
  socket: ReturnType<typeof connectPlain> | ReturnType<typeof connectTls>,
  event: string,
): Promise<boolean> {
  const signal = AbortSignal.timeout(patience)
  try {
    await once(socket, event, { signal })
    return true
  } catch {
    return false
  } finally {
    socket.on('error', () => {})
    socket.destroy()
  }
}
