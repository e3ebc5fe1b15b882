/**
 * The hosts of recorded traffic: which are validated, and which there are. Pure.
 *
 * @module
 */

import { headerOf } from '../exchange/header-of.ts'
import type { RequestFacts } from '../exchange/plain-exchange.ts'
import { countOf } from '../spec/count-of.ts'

/** Hosts that are counted by name. A recording of a browser may have hundreds. */
const mostHosts = 100
/** Hosts that a line names. */
const mostNamed = 3

export interface TrafficHosts {
  /** Whether the host of a request is selected. */
  wants(request: Pick<RequestFacts, 'url' | 'headers'>): boolean
  /** Counts an exchange of the interface. */
  add(request: Pick<RequestFacts, 'url' | 'headers'>): void
  /** What to print about several hosts, and about those that were left out. Empty if there is nothing to say. */
  lines(): string[]
}

/** @param wanted names, with or without a port. @default all */
export function trafficHosts(wanted?: readonly string[]): TrafficHosts {
  const validated = new Map<string, number>()
  const others = new Map<string, number>()
  const count = (counts: Map<string, number>, host: string) => {
    if (counts.has(host) || counts.size < mostHosts) counts.set(host, (counts.get(host) ?? 0) + 1)
  }
  return {
    wants(request) {
      if (wanted === undefined) return true
      const host = hostOf(request)
      const isWanted = wanted.some(
        (name) => host === withoutDefaultPort(name) || host.replace(/:\d+$/, '') === name,
      )
      if (!isWanted) count(others, host || 'no host')
      return isWanted
    },
    add(request) {
      const host = hostOf(request)
      if (host !== '') count(validated, host)
    },
    lines: () => [
      ...(wanted === undefined && validated.size > 1
        ? [`the exchanges are of ${validated.size} hosts: ${named(validated)}; select one with --host`]
        : []),
      ...(others.size > 0 ? [`left out, because of --host: ${named(others)}`] : []),
    ],
  }
}

function hostOf({ url, headers }: Pick<RequestFacts, 'url' | 'headers'>): string {
  const [, host] = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?([^/?#]*)/i.exec(url) ?? []
  return withoutDefaultPort((host ?? headerOf(headers, 'host') ?? '').toLowerCase())
}

/** Most recorders leave out the default port of a scheme. */
function withoutDefaultPort(host: string): string {
  return host.replace(/:(?:80|443)$/, '')
}

function named(counts: ReadonlyMap<string, number>): string {
  const most = [...counts].sort((a, b) => b[1] - a[1])
  const more = most.length > mostNamed ? `, and ${countOf(most.length - mostNamed, 'other')}` : ''
  return (
    most
      .slice(0, mostNamed)
      .map(([host, times]) => `${host} (${times})`)
      .join(', ') + more
  )
}
