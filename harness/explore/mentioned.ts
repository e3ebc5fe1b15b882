/**
 * Names of tables that records mention: their own, the names of expanded records, and names that fields with an id are
 * named after. Pure.
 *
 * @module
 */

import { isObject } from '../../exchange/json-object.ts'
import { commonFields } from '../../spec/common-fields.ts'

const common = new Set<string>(commonFields)

export function mentionedIn(records: readonly unknown[]): string[] {
  const names = new Set<string>()
  const follow = (value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) follow(each)
    if (!isObject(value)) return
    if (typeof value.collectionName === 'string' && value.collectionName !== '')
      names.add(value.collectionName)
    for (const [field, held] of Object.entries(value)) {
      if (typeof held === 'object') follow(held)
      if (common.has(field)) continue
      // A relation to several records is a list of their ids.
      const [first] = Array.isArray(held) ? held : [held]
      if (isIdLike(first, value.id)) for (const name of tablesNamedBy(field)) names.add(name)
    }
  }
  follow(records)
  return [...names]
}

/** Whether a value has the form of the record's own id. */
export function isIdLike(value: unknown, id: unknown): boolean {
  if (typeof value !== 'string' || typeof id !== 'string' || value === '' || value.length !== id.length)
    return false
  return shapeOf(value) === shapeOf(id)
}

function shapeOf(id: string): string {
  return id.replaceAll(/[A-Za-z0-9]+/g, (part) => String(part.length))
}

/**
 * `author`, `author_id` and `authorId` name the table `authors`, `lineItemIds` the tables `lineItems` and `line_items`: a
 * server may have other habits for its tables than for its fields.
 */
export function tablesNamedBy(field: string): string[] {
  const bare = field.replace(/(_id|Id|ID)s?$/, '')
  const underscored = bare.replace(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase()
  return [...new Set([bare, underscored])].flatMap(formsOf)
}

function formsOf(bare: string): string[] {
  const plural = /[^aeiou]y$/.test(bare)
    ? `${bare.slice(0, -1)}ies`
    : /(s|x|ch|sh)$/.test(bare)
      ? `${bare}es`
      : `${bare}s`
  return [plural, bare]
}
