import { lettersOf, scopeOf, uniqueNames } from './seed.ts'
import type { Session } from './vocabulary/session.ts'

/** `unique()` of one place of a run, a check for example. What it names is known for the run's own from then on. */
export function uniqueIn(session: Session, place: string): (prefix?: string) => string {
  const { namespace, seed } = session.options
  const letters = namespace ?? lettersOf(5, seed)
  session.scopes.add(scopeOf(letters, place))
  return uniqueNames(letters, place)
}
