/**
 * Ways along the links of the description: each begins with a valid request, and every next request follows on the
 * response to the one before it. Pure.
 *
 * @module
 */

import type { OperationId } from '../../../spec/vocabulary.ts'
import type { Link } from './links.ts'

/** A valid request with which a walk begins. */
export interface Start {
  operation: OperationId
  /** Role of the table. */
  role: string
  /** Whether the first sign-in of the walk gives the first of two factors. */
  factors?: boolean
}

export interface Walk {
  start: Start
  links: readonly Link[]
  /** Different from all other walks. */
  title: string
}

const signIns: readonly OperationId[] = ['authWithPassword', 'authWithOAuth2', 'authWithOtp']

/**
 * All walks of at most this many links.
 *
 * @returns the shortest first, so that a failing one shrinks to its beginning
 */
export function walksOf(links: readonly Link[], starts: readonly Start[], longest: number): Walk[] {
  const walks = starts.flatMap((start) =>
    waysFrom(links, start.operation, start.factors === true, longest).map((way) => ({
      start,
      links: way,
      title: [
        `${start.operation} of ${start.role}`,
        ...way.map(({ name, to }) => (name === to ? to : `${name} (${to})`)),
      ].join(', '),
    })),
  )
  return walks.sort((a, b) => a.links.length - b.links.length)
}

function waysFrom(links: readonly Link[], from: OperationId, factors: boolean, longest: number): Link[][] {
  if (longest === 0) return []
  const isFirst = factors && signIns.includes(from)
  const next = links.filter((link) => link.from === from && isFirst === (link.status === '401'))
  // The same link can be listed under an exact status and under its range.
  const named = new Map(next.map((link) => [link.name, link]))
  return [...named.values()].flatMap((link) => [
    [link],
    ...waysFrom(links, link.to, factors && !isFirst, longest - 1).map((way) => [link, ...way]),
  ])
}

/** Position of the request that gives the first of two factors, from 0; -1 if there is none. */
export function firstFactorIn({ start, links }: Pick<Walk, 'start' | 'links'>): number {
  const operations = [start.operation, ...links.map(({ to }) => to)]
  return start.factors === true ? operations.findIndex((each) => signIns.includes(each)) : -1
}

/** Few walks that contain all the links of the others: the ones with the most new links first. */
export function covering(walks: readonly Walk[]): Walk[] {
  const missing = new Set(walks.flatMap((walk) => walk.links.map(keyOf)))
  const chosen: Walk[] = []
  const gainOf = ({ links }: Walk) => new Set(links.map(keyOf).filter((key) => missing.has(key))).size
  while (missing.size > 0) {
    const best = walks.reduce((found, walk) => (gainOf(walk) > gainOf(found) ? walk : found))
    chosen.push(best)
    for (const link of best.links) missing.delete(keyOf(link))
  }
  return chosen
}

/** The same link under an exact status and under its range is one. */
const keyOf = ({ from, status, name }: Link) => `${from} ${status[0]} ${name}`
