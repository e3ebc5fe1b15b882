import type { DescriptionPart } from './vocabulary.ts'

const schemas = '#/components/schemas/'

/** A reference to a schema of the description. */
export function componentReference(name: string): DescriptionPart {
  return { $ref: `${schemas}${name}` }
}

/** The schema that a reference leads to; undefined for what is not such a reference. */
export function referredComponent(reference: unknown): string | undefined {
  return typeof reference === 'string' && reference.startsWith(schemas)
    ? reference.slice(schemas.length)
    : undefined
}
