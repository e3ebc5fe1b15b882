/**
 * Which requirements are about the form of a response. Pure.
 *
 * @module
 */

import { isAboutEveryResponse } from '../../../spec/is-about-every-response.ts'
import { openApiDocument } from '../../../spec/openapi.ts'
import { loadRequirements } from '../../../spec/requirements.ts'

let named: ReadonlySet<string> | undefined

/**
 * Whether a requirement of the document is about the form of a response, as its schema or the wire shows it. What values
 * mean, and how they agree, has nothing to do with the part that a case changes: other checks see it.
 */
export function isOfForm(id: string): boolean {
  const { basis, level } = loadRequirements().get(id) ?? {}
  if (basis === 'profile' || level !== 'MUST') return false
  named ??= new Set(namedIn(openApiDocument()))
  return isAboutEveryResponse(id) || named.has(id)
}

/** The requirements that schemas name. */
function namedIn(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return []
  const { 'x-requirement': own } = part as { 'x-requirement'?: unknown }
  const below = Object.values(part).flatMap(namedIn)
  return typeof own === 'string' ? [own, ...below] : below
}
