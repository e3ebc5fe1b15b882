import type { Query } from '../vocabulary/api.ts'
import type { QueryPart, Target } from '../vocabulary/target.ts'
import { expectForm } from './expect-form.ts'

/** Where it is left out, a check sees more records than it wanted, which it must be ready for. */
const optional: readonly (readonly [key: string, part: QueryPart])[] = [
  ['filter', 'filter'],
  ['perPage', 'page size'],
]
/** Where it is left out, the list is not the one that a check judges. */
const essential: readonly (readonly [key: string, part: QueryPart])[] = [
  ['page', 'page number'],
  ['sort', 'order'],
  ['expand', 'expansion'],
]

/**
 * The query without the parts whose form is not known. A strict server rejects a parameter that it does not know, and is
 * right; where a server ignores one, leaving it out makes no difference.
 *
 * @param judged whether it is the query of a check
 * @throws UntestableError if the check cannot be right without one of them
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
