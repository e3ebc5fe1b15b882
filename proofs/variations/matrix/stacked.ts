/**
 * Stacks several variations, in a fixed order.
 *
 * @module
 */

import { withToken } from '../../faults/combinators/auth.ts'
import type { FaultTools, Middleware, Next } from '../../faults/fault.ts'
import type { Variation } from '../variation.ts'

/**
 * The areas from the client to the reference. A variation reads messages as the reference sends and takes them: what
 * changes their bytes, names and forms goes in front of what reads them.
 */
const fromTheClient = [
  'wire',
  'limits',
  'operations',
  'rejections',
  'methods',
  'statuses',
  'writes',
  'half-right',
  'creates',
  'updates',
  'deletes',
  'batch',
  'query-words',
  'codes',
  'factors',
  'flows',
  'emails',
  'sign-in',
  'sessions',
  'keys',
  'access',
  'list-shape',
  'additional keys',
  'times',
  'pages',
  'page-sizes',
  'expansion',
  'places',
  'texts',
  'values',
  'identifiers',
  'ids',
]

/** @throws Error for a variation of an area that has no place yet */
export function inOrder(variations: readonly Variation[]): Variation[] {
  return variations.toSorted((a, b) => placeOf(a) - placeOf(b))
}

function placeOf({ area }: Variation): number {
  const place = fromTheClient.indexOf(area)
  if (place === -1)
    throw new Error(
      `The area "${area}" has no place among the others: enter it in variations/matrix/stacked.ts.`,
    )
  return place
}

/**
 * Superuser requests of a variation also pass through the variations behind it, which act as its server.
 *
 * @param superuser a token
 */
export function stacked(
  variations: readonly Variation[],
  superuser: string,
): (tools: FaultTools) => Middleware {
  return (tools) => {
    const front = variations.reduceRight<Next>(
      (behind, { make }) => {
        const asSuperuser = async (request: Request) => behind(await withToken(request.clone(), superuser))
        const middleware = make({ ...tools, asSuperuser })
        return (request) => middleware(request, behind)
      },
      (request) => tools.reference.fetch(request),
    )
    return (request) => front(request)
  }
}
