import type { Query } from '../vocabulary/api.ts'
import type { QueryPart, Target } from '../vocabulary/target.ts'
import { expectForm } from './expect-form.ts'

/** Without one of these parts, a list shows more records than a check requests, or in other pages. Checks expect that. */
const optional: readonly (readonly [key: string, part: QueryPart])[] = [
  ['filter', 'filter'],
  ['perPage', 'page size'],
]
/** Without one of these parts, a list is not the one that a check judges. */
const essential: readonly (readonly [key: string, part: QueryPart])[] = [
  ['page', 'page number'],
  ['sort', 'order'],
  ['expand', 'expansion'],
]

/**
 * The query without the parts whose form is not known. A strict server rejects a parameter that it does not know, and is
 * right. Where a server ignores the parameter, leaving it out makes no difference.
 *
 * @param judged whether it is the query of a check
 * @throws UntestableError if a check needs one of these parts
 */
export function withKnownForms(target: Pick<Target, 'unknownForms'>, query: Query, judged: boolean): Query {
  const { unknownForms = [] } = target
  if (unknownForms.length === 0) return query
  const known = { ...query }
  for (const [key, part] of essential)
    if (judged && known[key] !== undefined) expectForm({ unknownForms }, part)
  for (const [key, part] of [...optional, ...essential]) if (unknownForms.includes(part)) delete known[key]
  return known
}
