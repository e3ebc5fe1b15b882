import { isObject } from '../../exchange/json-object.ts'
import { isPromise } from '../../spec/is-promise.ts'
import { kindName } from '../../spec/kind-name.ts'
import type { Table } from '../vocabulary.ts'

interface Given {
  id: string
  collectionId?: unknown
  collectionName?: unknown
}

/** Whether it is an object with an id: a record, or as much of one as is needed. */
function hasId(given: unknown): given is Given {
  return isObject(given) && typeof given.id === 'string'
}

/** Whether it is a record as this server returns it, rather than values to search for. */
export function isRecord(given: unknown): boolean {
  return hasId(given) && (given.collectionName !== undefined || given.collectionId !== undefined)
}

/**
 * The id of a record, given as it is or as the record.
 *
 * @throws TypeError for anything else; Error for a record of another table
 */
export function idOfRecord(table: Table, given: unknown): string {
  if (typeof given === 'string') return given
  if (!hasId(given)) {
    if (isPromise(given)) throw new TypeError('The id of the record is a promise: await it first.')
    throw new TypeError(`The id of the record must be a string, or the record; found ${kindName(given)}.`)
  }
  const { id, collectionId, collectionName } = given
  const isOther = collectionName !== undefined && collectionName !== table.name && collectionId !== table.id
  if (isOther)
    throw new Error(`The record "${id}" is one of "${String(collectionName)}", not of "${table.name}".`)
  return id
}

/** For messages about an argument that may be neither an id nor a record. */
export function shownId(given: unknown): string {
  return hasId(given) ? given.id : String(given)
}
