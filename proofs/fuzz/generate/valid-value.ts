/**
 * Values that a field accepts, from its definition.
 *
 * @module
 */

import fc, { type Arbitrary } from 'fast-check'
import { factsOf } from '../../../spec/field-types.ts'
import type { FieldDefinition } from '../../../spec/table-definition.ts'
import { stringValues } from '../../../suites/oracle/arbitraries.ts'
import { fuzzIds } from '../world/ids.ts'

const dates = fc
  .date({ min: new Date('2020-01-02'), max: new Date('2030-01-01'), noInvalidDate: true })
  .chain((date) => fc.constantFrom(date.toISOString(), date.toISOString().replace('T', ' ')))

const domain = (name: string, only?: readonly string[] | null) => `${name}@${only?.[0] ?? 'mail.example'}`

function some<T>(value: Arbitrary<T>, most = 1, least = 0): Arbitrary<T | T[]> {
  return most <= 1 ? value : fc.array(value, { minLength: least, maxLength: Math.min(most, 4) })
}

/** Undefined for fields that no request sets. */
export function validValue(field: FieldDefinition): Arbitrary<unknown> | undefined {
  switch (field.type) {
    case 'text':
      if (field.primaryKey) return fc.stringMatching(/^[a-z0-9]{15}$/)
      if (field.pattern) return fc.stringMatching(/^[a-z]{3,5}$/)
      return field.required ? stringValues.map((text) => `${text}x`) : stringValues
    case 'number':
      return fc.integer({
        min: Math.max(field.min ?? -1000, field.required ? 1 : -1000),
        max: field.max ?? 1000,
      })
    case 'bool':
      return field.required ? fc.constant(true) : fc.boolean()
    case 'email':
      return fc.stringMatching(/^[a-z]{6,12}$/).map((name) => domain(name, field.onlyDomains))
    case 'url':
      return fc
        .stringMatching(/^[a-z]{1,8}$/)
        .map((path) => `https://${field.onlyDomains?.[0] ?? 'web.example'}/${path}`)
    case 'editor':
      return fc.constantFrom('<p>hi</p>', '<b>x</b>', 'plain')
    case 'date':
      return dates
    case 'select':
      return some(fc.constantFrom(...field.values), field.maxSelect)
    case 'json':
      return fc.constantFrom<unknown>({ a: 1 }, { a: 'x' }, [1, 2], 'text', 7, true)
    case 'relation':
      return some(fc.constantFrom(...fuzzIds(field.collectionId)), field.maxSelect, field.minSelect)
    case 'password':
      return field.pattern ? fc.constant('12345') : fc.constant('password1234')
    case 'geoPoint':
      return fc.record({ lon: fc.integer({ min: -180, max: 180 }), lat: fc.integer({ min: -90, max: 90 }) })
    default: {
      const sample = factsOf(field.type)?.sample
      return sample === undefined ? undefined : fc.constant(sample)
    }
  }
}
