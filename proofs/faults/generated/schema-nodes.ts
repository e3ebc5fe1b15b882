/**
 * Every key of a response with the name of its place: `items[].id`, `record.{text}`, `[].body.{relation}.` A field that
 * the table defines is named by its type, so that one place stands for all tables.
 *
 * @module
 */

import type { FieldDefinition, TableDefinition } from '../../../spec/table-definition.ts'
import { tableDefinitions } from '../../../spec/tables.ts'
import { isJsonObject, type JsonValue } from '../combinators/combinators.ts'
import type { Seen } from './breach.ts'

/** One key of one object. */
export interface SchemaNode {
  place: string
  parent: JsonValue
  key: string
}

/** Objects whose keys are names of fields, relations or positions. */
const open = new Set(['data', 'requests', 'expand', 'params', 'rawUser'])
/** Keys that mean the same in every table. */
const common = new Set(['id', 'collectionId', 'collectionName', 'created', 'updated', 'expand'])
const ofAccounts = new Set(['email', 'emailVisibility', 'verified', 'password', 'tokenKey'])
/** Places of records in successful responses. */
const recordPlaces = new Set(['items[]', 'record', '[].body'])
const respondsWithRecord = new Set(['createRecord', 'viewRecord', 'updateRecord'])

/** Whether the keys of the object at a place are names of fields, relations or positions. */
export function isOpenPlace(place: string): boolean {
  return open.has(place.split('.').at(-1) ?? '')
}

let tables: ReadonlyMap<string, TableDefinition> | undefined

export function tableInPath(name: unknown): TableDefinition | undefined {
  tables ??= new Map(tableDefinitions().map((each) => [each.name, each]))
  return typeof name === 'string' ? tables.get(name) : undefined
}

/** All keys of the response's body, outer ones first. */
export function nodesOf({ operation, table, status, body }: Seen): SchemaNode[] {
  const nodes: SchemaNode[] = []
  const plainRecord = status < 300 && operation !== undefined && respondsWithRecord.has(operation)

  function inside(value: unknown, place: string): void {
    if (Array.isArray(value)) for (const each of value) inside(each, `${place}[]`)
    else if (isJsonObject(value)) {
      if (status < 300 && (recordPlaces.has(place) || (place === '' && plainRecord))) record(value, place)
      else object(value, place)
    }
  }

  function object(value: JsonValue, place: string): void {
    const named = isOpenPlace(place)
    for (const key of Object.keys(value)) {
      const below = join(place, named && key !== 'requests' ? '*' : key)
      nodes.push({ place: below, parent: value, key })
      inside(value[key], below)
    }
  }

  function record(value: JsonValue, place: string): void {
    const definition = tableInPath(value.collectionName) ?? tableInPath(table)
    for (const key of Object.keys(value)) {
      const below = join(place, labelOf(key, definition))
      nodes.push({ place: below, parent: value, key })
      if (key === 'expand' && isJsonObject(value.expand)) expanded(value.expand, below)
      // The keys of a json value are whatever was sent.
      if (/\{(?!json|unknown)\w+\}$/.test(below)) inside(value[key], below)
    }
  }

  function expanded(relations: JsonValue, place: string): void {
    // What is nested deeper than this counts as the depth before.
    const below = place.endsWith('expand.*.expand') ? place.replace(/\.expand$/, '') : `${place}.*`
    for (const key of Object.keys(relations)) {
      nodes.push({ place: below, parent: relations, key })
      for (const each of [relations[key]].flat()) if (isJsonObject(each)) record(each, below)
    }
  }

  inside(body, '')
  return nodes
}

const join = (place: string, key: string) => (place === '' ? key : `${place}.${key}`)

/** The name of a key in the name of a place. */
export function labelOf(key: string, table: TableDefinition | undefined): string {
  if (common.has(key)) return key
  if (table?.type === 'auth' && ofAccounts.has(key)) return key
  const field = table?.fields?.find(({ name }) => name === key)
  return field === undefined ? '{unknown}' : `{${typeOf(field)}}`
}

/** `{select}` and `{selects}`: a field that holds several has another type on the wire. */
function typeOf(field: FieldDefinition): string {
  const several = 'maxSelect' in field && (field.maxSelect ?? 1) > 1
  return several ? `${field.type}s` : field.type
}
