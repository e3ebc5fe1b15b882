/**
 * The two directions of `$ref`, so that one file knows where the schemas of a description are.
 *
 * @module
 */

import type { DescriptionPart } from './vocabulary.ts'

const schemas = '#/components/schemas/'

/** A reference to a schema of the description. */
export function componentReference(name: string): DescriptionPart {
  return { $ref: `${schemas}${name}` }
}

/** The name of the schema that a reference points to; undefined for anything else. */
export function referredComponent(reference: unknown): string | undefined {
  return typeof reference === 'string' && reference.startsWith(schemas)
    ? reference.slice(schemas.length)
    : undefined
}
