/**
 * Values for the table with all field types that a server must return as they were sent: within every constraint, and
 * in the form in which the field is read. The profile covers all other values.
 *
 * @module
 */

import fc, { type Arbitrary } from 'fast-check'
import type { Body } from '../../../harness/vocabulary/api.ts'
import { samples, zeros } from '../../shared/records/samples.ts'

const positiveZero = (value: number) => value + 0

const coordinate = (limit: number) =>
  fc.double({ min: -limit, max: limit, noNaN: true, noDefaultInfinity: true }).map(positiveZero)

const NEVER_KEYS = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']

/** JSON that survives: no text on top (the profile reads it again), keys in any order, -0 as 0. */
const json: Arbitrary<unknown> = fc
  .jsonValue({ maxDepth: 2 })
  .filter(
    (value) => typeof value !== 'string' && !NEVER_KEYS.some((key) => JSON.stringify(value).includes(key)),
  )
  .map((value) => JSON.parse(JSON.stringify(value)))

const letters = fc.stringMatching(/^[a-z]{2,8}$/)

const timestamp = fc
  .date({ min: new Date('1971-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().replace('T', ' '))

/**
 * Field → arbitrary. `file` and `files` are missing: a JSON body cannot upload; `uploads` fills them. `stamp` sets itself.
 * Without records to refer to, relations are missing as well: none may be allowed to be empty.
 */
export function valuesOf(relatedIds: readonly string[]): Record<string, Arbitrary<unknown>> {
  const own: Record<string, Arbitrary<unknown>> = {
    text: fc.string({ unit: 'grapheme', maxLength: 20 }),
    number: fc.oneof(fc.integer(), fc.double({ min: -1e9, max: 1e9, noNaN: true }).map(positiveZero)),
    bool: fc.boolean(),
    email: fc.tuple(letters, letters).map(([name, host]) => `${name}@${host}.example.com`),
    url: fc.tuple(letters, letters).map(([host, path]) => `https://${host}.example.com/${path}?q=1`),
    editor: letters.map((word) => `<p>${word} &amp; <b>more</b></p>`),
    date: timestamp,
    select: fc.constantFrom('a', 'b', 'c', ''),
    selects: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e')),
    json,
    ...(relatedIds.length > 0 && {
      relation: fc.constantFrom('', ...relatedIds),
      relations: fc.uniqueArray(fc.constantFrom(...relatedIds)),
    }),
    password: fc.stringMatching(/^[A-Za-z0-9]{8,20}$/),
    geo: fc.record({ lon: coordinate(180), lat: coordinate(90) }, { noNullPrototype: true }),
  }
  // A field of another type has the values that are known of its type.
  const others = Object.entries(samples('')).filter(([field]) => !(field in own) && field !== 'relation')
  return {
    ...own,
    ...Object.fromEntries(others.map(([field, sample]) => [field, fc.constantFrom(sample, zeros()[field])])),
  }
}

/** Text fields that can hold the mark of the run (`harness/ownership`). */
const markFields = ['text', 'editor'] as const

export type MarkField = (typeof markFields)[number]

/**
 * The field that holds the mark of the run in each record of an example. Nothing may overwrite it: a record without a
 * mark cannot be proven to be the run's, and so can be neither updated nor deleted.
 */
export const markField: Arbitrary<MarkField> = fc.constantFrom(...markFields)

/** A body with any selection of the fields. */
export function bodies(relatedIds: readonly string[]): Arbitrary<Body> {
  return fc.record(valuesOf(relatedIds), { requiredKeys: [], noNullPrototype: true }) as Arbitrary<Body>
}

/** The body of a create. The mark is its first field: a server that loses the last one keeps it. */
export function marked(body: Body, field: MarkField, mark: string): Body {
  return { [field]: field === 'editor' ? `<p>${mark}</p>` : mark, ...unmarked(body, field) }
}

/** The body of an update that leaves the mark as it is. */
export function unmarked(body: Body, field: MarkField): Body {
  return withoutFields(body, [field])
}

export function withoutFields(body: Body, fields: readonly string[]): Body {
  return Object.fromEntries(Object.entries(body).filter(([field]) => !fields.includes(field)))
}
