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
  /** That there are only exchanges of hosts that are not selected. Undefined if none was left out. */
  allLeftOut(): string | undefined
  /** What to print about several hosts, and about those that were left out. Empty if there is nothing to say. */
  lines(): string[]
}

/** @param wanted names, with or without a port. @default all */
export function trafficHosts(wanted?: readonly string[]): TrafficHosts {
  const validated = new Map<string, number>()
  const others = new Map<string, number>()
  let leftOut = 0
  let homeless = 0
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
      if (isWanted) return true
      leftOut += 1
      if (host === '') homeless += 1
      else count(others, host)
      return false
    },
    add(request) {
      const host = hostOf(request)
      if (host !== '') count(validated, host)
    },
    allLeftOut() {
      if (leftOut === 0) return undefined
      const without = withoutHost(homeless)
      if (others.size === 0) return `nothing was validated: ${without}; omit --host`
      const [first = ''] = mostFrequent(others)[0] ?? []
      const of =
        leftOut === 1 ? 'the only exchange is of another host' : `all ${leftOut} exchanges are of other hosts`
      const list = [named(others), ...(homeless > 0 ? [without] : [])].join('; ')
      return `nothing was validated: ${of}: ${list}; use --host ${first}, or omit --host`
    },
    lines: () => [
      ...(wanted === undefined && validated.size > 1
        ? [`the exchanges are of ${validated.size} hosts: ${named(validated)}; select one with --host`]
        : []),
      ...(others.size > 0 ? [`left out, because of --host: ${named(others)}`] : []),
      ...(homeless > 0 ? [`left out, because of --host: ${withoutHost(homeless)}`] : []),
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

function withoutHost(count: number): string {
  return `${countOf(count, 'exchange')} ${count === 1 ? 'has' : 'have'} no host`
}

function mostFrequent(counts: ReadonlyMap<string, number>): [host: string, times: number][] {
  return [...counts].sort((a, b) => b[1] - a[1])
}

function named(counts: ReadonlyMap<string, number>): string {
  const most = mostFrequent(counts)
  const more = most.length > mostNamed ? `, and ${countOf(most.length - mostNamed, 'other')}` : ''
  return (
    most
      .slice(0, mostNamed)
      .map(([host, times]) => `${host} (${times})`)
      .join(', ') + more
  )
}
