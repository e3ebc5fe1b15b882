/**
 * Requests of validated traffic that match no operation although they begin with the path prefix, and the prefix that
 * the traffic has. Pure.
 *
 * @module
 */

import { countOf } from '../spec/count-of.ts'
import { operationPaths } from '../spec/generated/operations.ts'
import { nearest } from '../spec/nearest.ts'
import { documentPrefix, isPrefix } from '../spec/prefix.ts'
import { findOperation, splitUrl } from '../validate/find-operation.ts'

/** Paths that are listed. The others are counted. */
const mostPaths = 5
/** As many edits are a typo: more would be another word. */
const fewestEdits = 3
/** First segments of what servers offer next to the interface: a client that uses it is not mistaken. */
const besides = ['files', 'health', 'realtime']
const besidesText = `${besides.slice(0, -1).join(', ')} or ${besides.at(-1)}`

/** Methods of the interface. HEAD is a GET without its body. */
export const methods: readonly string[] = [...new Set(operationPaths.map(({ method }) => method)), 'HEAD']

export interface UnmatchedRequests {
  add(method: string, url: string): void
  /** What to print about them. Empty if there are none. */
  lines(): string[]
  /** The method of a request whose path has operations, if none of the interface has this method. */
  unknownMethod(): string | undefined
  /** What to use as `--prefix`, with an example of a path. Absent: the traffic does not show it. */
  prefixMeant(): { prefix: string; example: string } | undefined
}

/** Collects requests that match no operation. Its memory does not grow with the traffic. */
export function unmatchedRequests(prefix: string = documentPrefix): UnmatchedRequests {
  const shown = new Map<string, string>()
  let count = 0
  let listed = 0
  /** Preflights, and requests of `besides`. */
  let known = 0
  let odd: string | undefined
  let meant: ReturnType<UnmatchedRequests['prefixMeant']>
  return {
    add(method, url) {
      const [path] = splitUrl(url)
      meant ??= otherPrefix(method, path)
      // A preflight is not a mistake.
      if (method !== 'OPTIONS' && !methods.includes(method) && findOperation(undefined, path, prefix))
        odd ??= method
      if (!path.startsWith(`${prefix}/`)) return
      count += 1
      if (method === 'OPTIONS' || besides.includes(path.slice(prefix.length + 1).split('/', 1)[0] ?? '')) {
        known += 1
        return
      }
      const request = `${method} ${path}`
      if (shown.has(request)) listed += 1
      else if (shown.size < mostPaths) {
        shown.set(request, pathMeant(method, path, prefix))
        listed += 1
      }
    },
    lines() {
      if (count === 0) return []
      const more = count - listed - known
      return [
        `under ${prefix === '' ? '/' : prefix}, but no operation (not validated):`,
        ...[...shown].map(([request, hint]) => `  ${request}${hint}`),
        ...(more === 0 ? [] : [`  and ${more} more`]),
        ...(known === 0 ? [] : [`  not listed: ${countOf(known, 'request')} (preflights, ${besidesText})`]),
      ]
    },
    unknownMethod: () => odd,
    prefixMeant: () => meant,
  }
}

/** The prefix with which a path belongs to an operation. */
function otherPrefix(method: string, path: string): ReturnType<UnmatchedRequests['prefixMeant']> {
  const [, prefix, table] = /^(.*?)\/collections\/([^/]+)\/./.exec(path) ?? []
  if (prefix === undefined || !isPrefix(prefix)) return undefined
  if (findOperation(method, path, prefix) === undefined) return undefined
  return { prefix, example: `${prefix}/collections/${table}/…` }
}

/** ` (did you mean "…"?)`, where the path of an operation differs by typos only. */
function pathMeant(method: string, path: string, prefix: string): string {
  const given = path.slice(prefix.length + 1).split('/')
  for (const operation of operationPaths) {
    if (operation.method !== method || operation.segments.length !== given.length) continue
    const near = operation.segments.map((segment, at) =>
      segment.startsWith('{') ? given[at] : nearest(given[at] ?? '', [segment], fewestEdits),
    )
    if (!near.includes(undefined)) return ` (did you mean "${prefix}/${near.join('/')}"?)`
  }
  return ''
}
