import { UntestableError } from '../judging/expect.ts'
import type { QueryPart } from '../vocabulary/target.ts'
import { formHint, noForm } from './query-text.ts'

/**
 * How lists are filtered, ordered and paged is left open. Where only the address of a server is known and no usual form
 * has an effect, either the server has a form of its own or it ignores the part. A check that needs it cannot say which.
 *
 * @throws UntestableError if no usual form had an effect
 */
export function expectForm(
  { unknownForms = [] }: { readonly unknownForms?: readonly QueryPart[] },
  part: QueryPart,
): void {
  if (!unknownForms.includes(part)) return
  throw new UntestableError(
    `${noForm(part)}: lists ignore it, or have a form of their own`,
    `if the server has a form of its own, ${formHint(part)}; with "profile": "standard", the form of the profile is expected`,
  )
}
