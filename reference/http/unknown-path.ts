/**
 * Why no operation has a method and path, for the log: another prefix, another method, a part of the living family that
 * is not served, or a typo.
 *
 * @module
 */

import { inWords } from '../../spec/in-words.ts'
import { nearest, quoted } from '../../spec/nearest.ts'
import type { RejectionReason } from '../errors.ts'

interface Route {
  method: string
  /** With the prefix: `/api/collections/:table/records`. */
  path: string
}

/** Paths that the living family has in addition (docs/extras.md). */
const absent: Readonly<Record<string, string>> = {
  backups: 'There are no backups.',
  collections: 'Tables are defined in the options or in the data file, not over HTTP.',
  crons: 'There are no cron jobs.',
  logs: 'No logs are stored: read "requests" of the reference, or the output of "conformance serve --log".',
  settings: 'Settings are options of the server, not read or changed over HTTP.',
  sql: 'SQL is not supported.',
}

/** Prefixes that clients are often set to. */
const usual = ['/api/v1', '/api', '/v1', '']

/** The interface does not have the operation. @param routes all routes of the server */
export function unknownPath(
  method: string,
  path: string,
  { prefix, routes }: { prefix: string; routes: readonly Route[] },
): RejectionReason {
  return () => {
    const known = routes.map((route) => ({ method: route.method, path: route.path.slice(prefix.length) }))
    const served = path.startsWith(`${prefix}/`)
    const rest = served ? path.slice(prefix.length) : undefined
    const fact = served
      ? `The interface has no operation ${method} ${shown(path)}.`
      : `${shown(path)} is not part of the interface: its paths begin with ${prefix}/.`
    if (path.includes('//'))
      return withHint(fact, `The path contains "//": request ${shown(path.replace(/\/{2,}/g, '/'))}.`)
    return rest === undefined || !begins(rest, known)
      ? withHint(fact, otherPrefix(path, prefix, known))
      : withHint(fact, hintFor(method, rest, prefix, known))
  }
}

const shown = (path: string) => quoted(path).slice(1, -1)

const withHint = (fact: string, hint: string | undefined) => (hint === undefined ? fact : `${fact} ${hint}`)

const firstOf = (path: string) => path.split('/')[1] ?? ''

/** Whether the first segment is one of the interface, or of the living family. */
function begins(path: string, routes: readonly Route[]): boolean {
  const first = firstOf(path)
  return Object.hasOwn(absent, first) || routes.some((route) => firstOf(route.path) === first)
}

/** The path after another prefix, or a first segment that is misspelled. */
function otherPrefix(path: string, prefix: string, routes: readonly Route[]): string | undefined {
  for (const other of usual) {
    if (other === prefix || !path.startsWith(`${other}/`)) continue
    const rest = path.slice(other.length)
    if (begins(rest, routes))
      return `The prefix of this server is ${prefix}: request ${shown(`${prefix}${rest}`)}.`
  }
  if (!path.startsWith(`${prefix}/`)) return undefined
  return nearestPath(path.slice(prefix.length), prefix, routes)
}

function hintFor(method: string, path: string, prefix: string, routes: readonly Route[]): string | undefined {
  const filled = fill(path, routes)
  const methods = [...new Set(filled.filter((one) => one.path === path).map((one) => one.method))]
  if (methods.length > 0) return `This path takes ${inWords(methods.sort())}, not ${method}.`
  const [, first = '', , third] = path.split('/')
  const missing = absent[first]
  const ofCollections = first !== 'collections' || third === undefined || third === 'truncate'
  if (missing !== undefined && ofCollections) return `${missing} See "What there is not" in docs/extras.md.`
  return nearestPath(path, prefix, routes)
}

function nearestPath(path: string, prefix: string, routes: readonly Route[]): string | undefined {
  const paths = fill(path, routes).map((route) => route.path)
  const near = nearest(path, paths, Math.max(3, Math.ceil(path.length * 0.3)))
  return near === undefined ? undefined : `Did you mean ${shown(`${prefix}${near}`)}?`
}

/** The routes with as many segments, with the segments of the path instead of their parameters. */
function fill(path: string, routes: readonly Route[]): Route[] {
  const segments = path.split('/')
  return routes.flatMap((route) => {
    const pattern = route.path.split('/')
    if (pattern.length !== segments.length) return []
    const filled = pattern.map((segment, at) => (segment.startsWith(':') ? segments[at] : segment))
    return [{ method: route.method, path: filled.join('/') }]
  })
}
