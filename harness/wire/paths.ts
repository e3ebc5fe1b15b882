/**
 * Paths of the document, with the target's prefix.
 *
 * @module
 */

import { prefixOf } from '../../spec/prefix.ts'
import type { Binding } from '../../spec/vocabulary.ts'
import type { Api } from '../vocabulary/api.ts'
import type { TableRef } from '../vocabulary/target.ts'

export function makePaths(binding: Binding): Api['path'] & { prefix: string } {
  const prefix = prefixOf(binding.prefix)
  const table = (ref: TableRef | string) =>
    `${prefix}/collections/${pathSegment(typeof ref === 'string' ? ref : ref.name)}`
  return {
    prefix,
    records: (ref) => `${table(ref)}/records`,
    record: (ref, id) => `${table(ref)}/records/${pathSegment(id)}`,
    batch: () => `${prefix}/batch`,
    auth: (ref, action) => `${table(ref)}/${action}`,
  }
}

/** A server may return an id with a lone surrogate, which cannot be encoded: U+FFFD replaces it. */
export function pathSegment(text: string): string {
  return encodeURIComponent(String(text).toWellFormed())
}
