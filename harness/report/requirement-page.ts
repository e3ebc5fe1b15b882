import type { Requirement } from '../../spec/vocabulary.ts'
import { packageFacts } from '../support/package-facts.ts'

/** URL of the place in `docs/` that states a requirement. Both pages have an anchor for each id. */
export function requirementPage({ id, basis }: Pick<Requirement, 'id' | 'basis'>): string {
  return `${packageFacts().docs}/${basis === 'profile' ? 'profile' : 'requirements'}.md#${id}`
}
