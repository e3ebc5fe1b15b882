/**
 * A request in parts, before it is written down, and what a case makes of it. Names are as in the description. Pure.
 *
 * @module
 */

import { isObject } from '../../../exchange/json-object.ts'
import { NO_TABLE } from '../../../harness/support/no-record.ts'
import type { OperationId } from '../../../spec/vocabulary.ts'
import type { DerivedCase, Raw, Suffixed } from './case.ts'

export interface Draft {
  operation: OperationId
  method: string
  /** As in the description: `/api/v1/collections/{table}/records`. */
  template: string
  /** By the names of the template. What is `Raw` is not encoded. */
  path: Readonly<Record<string, string | Raw>>
  query: readonly (readonly [name: string, value: string | Raw])[]
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>
  /** JSON. Absent: no body. A key that ends in `draftAgain` is written without it: a second time. */
  body?: unknown
  /** The bytes of the body, instead of `body`. */
  text?: string
  /** Media type in which the body is written. */
  encoding: string
}

const harmless: readonly string[] = ['HEAD', 'OPTIONS']

/** Follows a key that occurs twice in an object. */
export const draftAgain = '\u0001again'

/** The draft with the one difference of the case. */
export function applied(draft: Draft, { place, name, change }: DerivedCase): Draft {
  switch (place) {
    case 'path parameter': {
      const [value = ''] = change(draft.path[name])
      return { ...draft, path: { ...draft.path, [name]: value as string | Raw } }
    }
    case 'query parameter': {
      const right = draft.query.find(([each]) => each === name)?.[1]
      const others = draft.query.filter(([each]) => each !== name)
      return { ...draft, query: [...others, ...change(right).map(asParameter(name))] }
    }
    case 'header': {
      const { [name.toLowerCase()]: right, ...others } = draft.headers
      const values = change(right)
      // Lines of one name are one list (RFC 9110, section 5.3).
      const headers = values.length === 0 ? others : { ...others, [name.toLowerCase()]: values.join(', ') }
      return { ...draft, headers }
    }
    case 'body key':
      return { ...draft, body: changedAt(draft.body, name.split(/\.|(?=\[\])/), change) }
    case 'body': {
      const { body: right, ...bare } = draft
      const values = change(right)
      if (values.length === 0) return bare
      const [value] = values
      const typed = { ...bare, headers: { 'content-type': draft.encoding, ...draft.headers } }
      return isRaw(value) ? { ...typed, text: value.raw } : { ...typed, body: value }
    }
    case 'media type':
      return { ...draft, encoding: name, headers: { ...draft.headers, 'content-type': name } }
    case 'method': {
      const { body: _unsent, ...bare } = draft
      const method = String(change(draft.method)[0])
      // It might change all records of an existing table.
      const isHarmless = harmless.includes(method) || !draft.template.includes('/records')
      return { ...bare, method, path: isHarmless ? draft.path : { ...draft.path, table: NO_TABLE } }
    }
  }
}

export function isRaw(value: unknown): value is Raw {
  return isObject(value) && typeof value.raw === 'string'
}

const asParameter =
  (name: string) =>
  (value: unknown): readonly [string, string | Raw] => {
    if (isRaw(value)) return [name, value]
    const { suffix = '', text = String(value) } = (isObject(value) ? value : {}) as Partial<Suffixed>
    return [name + suffix, text]
  }

/** @param way to the value: names of keys, and `[]` for the last item of a list */
function changedAt(
  value: unknown,
  [step, ...rest]: readonly string[],
  change: DerivedCase['change'],
): unknown {
  if (step === undefined) return value
  if (step === '[]') {
    const items = Array.isArray(value) ? value : []
    return [...items.slice(0, -1), changedAt(items.at(-1), rest, change)]
  }
  const object = isObject(value) ? value : {}
  if (rest.length > 0) return { ...object, [step]: changedAt(object[step], rest, change) }
  const { [step]: right, ...others } = object
  const [first, second, ...none] = change(right)
  if (first === undefined) return others
  if (second === undefined) return { ...object, [step]: first }
  if (none.length > 0) throw new Error(`The key "${step}" appears more than twice.`)
  return { ...object, [step]: first, [step + draftAgain]: second }
}

/** JSON with the keys that appear twice. */
export function draftText(body: unknown): string {
  return JSON.stringify(body).replaceAll(String.raw`\u0001again"`, '"')
}
