/**
 * Maps our names of tables and fields to the target's (`tables.<role>` of a target file) and back. Checks use ours;
 * requests use the target's.
 *
 * @module
 */

import { isObject } from '../../exchange/json-object.ts'
import { commonFields } from '../../spec/common-fields.ts'
import { authRoles, definedFieldsOf, loadRoles } from '../../spec/tables.ts'
import { copyForm } from '../support/copy-form.ts'
import type { Body } from '../vocabulary/api.ts'
import type { TableRef, Target } from '../vocabulary/target.ts'

type Names = Readonly<Record<string, string>>

/**
 * The table that a path segment names. A server may ignore the case of the name. A table with several roles has the fields of
 * all of them; its records have the names of the first.
 */
export function mappedTable({ target }: { target: Target }, segment: string): TableRef | undefined {
  const tables = Object.values(target.tables)
  const low = segment.toLowerCase()
  const table =
    tables.find(({ name, id }) => name === segment || id === segment) ??
    tables.find(({ name, id }) => name.toLowerCase() === low || id?.toLowerCase() === low)
  const others = tables.filter(({ name }) => name === table?.name)
  return table === undefined || others.length === 1 ? table : merged(table, others)
}

function merged(table: TableRef, all: readonly TableRef[]): TableRef {
  const named = ({ role }: TableRef) => definedFieldsOf(role).map(({ name }) => [name, name] as const)
  const values = Object.assign({}, ...all.map((each) => each.values))
  const identity = all.map((each) => each.identity).find((each) => each !== undefined)
  const fields = new Map<string, string>()
  // The last of several names for a field is the one that it gets in a response: the name of the first role.
  for (const [ours, theirs] of [
    ...all.flatMap((each) => [...named(each), ...Object.entries(each.fields ?? {})]),
    ...named(table),
    ...Object.entries(table.fields ?? {}),
  ]) {
    fields.delete(ours)
    fields.set(ours, theirs)
  }
  return {
    ...table,
    fields: Object.fromEntries(fields),
    ...(Object.keys(values).length > 0 && { values }),
    ...(identity !== undefined && { identity }),
  }
}

/** A table whose accounts sign in by this field alone: it is what the suite calls `username`. */
export function signingInBy(table: TableRef, identity: string): TableRef {
  const { fields } = table
  const hasName = identity === 'username' || Object.values(fields ?? {}).includes(identity)
  return { ...table, identity, ...(!hasName && { fields: { username: identity, ...fields } }) }
}

/** A body with the target's names; modifiers (`tags+`) stay with their field. */
export function toTheirs(table: Pick<TableRef, 'fields'>, body: Body): Body {
  const { fields } = table
  if (fields === undefined) return body
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [theirName(fields, key), value]))
}

/** The same for a form. */
export function formToTheirs(table: Pick<TableRef, 'fields'>, form: FormData): FormData {
  const { fields } = table
  return fields === undefined ? form : copyForm(form, (key) => theirName(fields, key))
}

/** What the target file says that each record of the table needs, with our names of fields. */
export function ourValues({ fields = {}, values = {} }: Pick<TableRef, 'fields' | 'values'>): Body {
  const ours = new Map(Object.entries(fields).map(([name, theirs]) => [theirs, name]))
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [ours.get(key) ?? key, value]))
}

/** Whether names of fields in responses differ from ours, or may be names of the target's own fields. */
export function hasOtherNames({ fields, existing }: Pick<TableRef, 'fields' | 'existing'>): boolean {
  return fields !== undefined || existing === true
}

/** What a response shows: the body itself is the record, or holds records in `items` or one in `record`. */
export type ShownAs = 'record' | 'list' | 'sign-in'

/**
 * A response body with our names. Its operation says what it shows: a record may have fields called `items` and `record`.
 */
export function toOurs(table: Omit<TableRef, 'name'>, body: unknown, shown: ShownAs = 'record'): unknown {
  if (!hasOtherNames(table) || !isObject(body)) return body
  const toOur = (record: unknown) => recordToOurs(table, record)
  if (shown === 'list' && Array.isArray(body.items)) return { ...body, items: body.items.map(toOur) }
  // What a write returns is left open: a record may be next to a message.
  const holdsRecord = isObject(body.record) && (shown === 'sign-in' || body.id === undefined)
  return holdsRecord ? { ...body, record: toOur(body.record) } : toOur(body)
}

const foreign = new Map<string, ReadonlySet<string>>()

/**
 * Names that we give to fields of other roles only. None for a table whose fields no definition lists, such as those that a
 * sign-in needs.
 */
function foreignNames(role: string): ReadonlySet<string> {
  const known = foreign.get(role)
  if (known !== undefined) return known
  const defined = definedFieldsOf(role)
  const mayHaveMore = defined.length === 0 || authRoles().has(role)
  const all = mayHaveMore ? [] : loadRoles().flatMap((each) => definedFieldsOf(each.role))
  const own = new Set<string>([...commonFields, ...defined.map(({ name }) => name)])
  const names = new Set(all.map(({ name }) => name).filter((name) => !own.has(name)))
  foreign.set(role, names)
  return names
}

/**
 * A record with our names. A field of the target's own may have a name that we give to a field of another role, or to one
 * that is mapped: its value is not what such a name stands for, and may change at any time. It gets a name that no check
 * knows.
 */
function recordToOurs({ fields = {}, role }: Omit<TableRef, 'name'>, record: unknown): unknown {
  if (!isObject(record)) return record
  const ours = new Map(Object.entries(fields).map(([our, their]) => [their, our]))
  const others = foreignNames(role)
  const nameOf = (key: string) =>
    ours.get(key) ?? (Object.hasOwn(fields, key) || others.has(key) ? `${key} (unmapped)` : key)
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [nameOf(key), value]))
}

function theirName(fields: Names, key: string): string {
  const [, before = '', name = key, after = ''] = /^(\+?)(.*?)([+-]?)$/.exec(key) ?? []
  return `${before}${Object.hasOwn(fields, name) ? fields[name] : name}${after}`
}
