/**
 * A TCP proxy in front of a server that breaks connections: the instrument for "a bad connection is not a dead server".
 * It changes no byte of what it passes on.
 *
 * @module
 */

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { hashOf } from '../../harness/support/hash.ts'

/**
 * How a connection breaks:
 * - `refused`: reset as soon as it is accepted
 * - `unheard`: reset when the request arrives; the server never gets it
 * - `unanswered`: reset when the response arrives; the client gets no byte of it
 * - `headless`: reset within the headers of the response
 * - `cut`: closed in the middle of the response, without a reset
 * - `stalled`: half of the response, then silence until the client gives up
 */
export type Break = 'refused' | 'unheard' | 'unanswered' | 'headless' | 'cut' | 'stalled'

const everyBreak: readonly Break[] = ['refused', 'unheard', 'unanswered', 'headless', 'cut', 'stalled']

/** A place at which a connection may break. */
export interface Moment {
  /** From 1. */
  connection: number
  /** Position of the request on its connection, from 1; 0 when the connection is accepted. */
  request: number
  /** The request line: `GET /path HTTP/1.1`. Empty when the connection is accepted. */
  line: string
}

export type Breaks = (moment: Moment) => Break | undefined

export interface BadConnections {
  /** Origin of the proxy. */
  url: string
  /** Connections accepted so far. */
  readonly connections: number
  /** Requests so far. */
  readonly requests: number
  /** How often each break happened. */
  readonly broken: Readonly<Record<Break, number>>
  close(): Promise<void>
}

/**
 * Breaks a share of the connections, each at its first response, or a share of the responses.
 *
 * @param rate from 0 to 1
 */
export function atRandom({
  rate,
  seed,
  per,
  kinds = everyBreak,
}: {
  rate: number
  seed: number
  per: 'connection' | 'response'
  kinds?: readonly Break[]
}): Breaks {
  let draws = 0
  const random = () => hashOf(seed, draws++) / 2 ** 32
  const draw = () => (random() < rate ? kinds[Math.floor(random() * kinds.length)] : undefined)
  if (per === 'response') return ({ request }) => (request === 0 ? undefined : draw())
  const bad = new Map<number, Break>()
  return ({ connection, request }) => {
    if (request === 0) {
      const kind = draw()
      if (kind === 'refused') return kind
      if (kind !== undefined) bad.set(connection, kind)
      return undefined
    }
    const kind = bad.get(connection)
    bad.delete(connection)
    return kind
  }
}

/** Listens on a free port of this machine. */
export async function startBadConnections(upstream: string, breaks: Breaks): Promise<BadConnections> {
  const { hostname, port } = new URL(upstream)
  const open = new Set<Socket>()
  const broken: Record<Break, number> = {
    refused: 0,
    unheard: 0,
    unanswered: 0,
    headless: 0,
    cut: 0,
    stalled: 0,
  }
  let connections = 0
  let requests = 0

  function keep(socket: Socket): Socket {
    open.add(socket)
    return socket.on('close', () => open.delete(socket)).on('error', () => socket.destroy())
  }

  const server = createServer({ noDelay: true }, (client) => {
    const connection = ++connections
    let request = 0
    /** What becomes of the response that is awaited. */
    let next: Break | undefined
    /** Whether the last bytes were the server's: the client's next ones begin a request. */
    let responded = true
    keep(client)

    const decide = (line: string) => {
      const kind = breaks({ connection, request, line })
      if (kind !== undefined) broken[kind] += 1
      return kind
    }
    if (decide('') !== undefined) {
      client.resetAndDestroy()
      return
    }
    const onward = keep(connect({ host: hostname, port: Number(port), noDelay: true }))
    const end = (how: 'reset' | 'close', last?: Buffer) => {
      onward.destroy()
      // A reset overtakes bytes that still wait to be sent.
      const finish = () => void (how === 'close' ? client.end() : client.resetAndDestroy())
      if (last === undefined) finish()
      else client.write(last, finish)
    }

    client.on('data', (bytes) => {
      if (responded) {
        responded = false
        request += 1
        requests += 1
        next = decide(bytes.toString('latin1').split('\r\n')[0] ?? '')
        if (next === 'unheard' || next === 'refused') return end('reset')
      }
      if (!onward.destroyed) onward.write(bytes)
    })
    onward.on('data', (bytes) => {
      responded = true
      if (next === undefined) {
        client.write(bytes)
        return
      }
      const middle = bytes.subarray(0, Math.max(1, Math.floor(bytes.length / 2)))
      if (next === 'unanswered') end('reset')
      else if (next === 'headless') end('reset', bytes.subarray(0, Math.min(20, bytes.length - 1)))
      else if (next === 'cut') end('close', bytes.subarray(0, bytes.length - 1))
      else {
        client.write(middle)
        onward.destroy()
      }
    })
    client.on('end', () => onward.end()).on('close', () => onward.destroy())
    onward.on('end', () => {
      if (next !== 'stalled') client.end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get connections() {
      return connections
    },
    get requests() {
      return requests
    },
    broken,
    async close() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
