/**
 * The field type `geoPoint` (contract-records 3.1 and 3.2).
 *
 * @module
 */

import { isObject } from '../../exchange/json-object.ts'
import type { GeoPoint } from '../../spec/field-types.ts'
import { parseJson } from '../http/strict-json.ts'
import { jsonText } from '../query/json-text.ts'
import { sqlValue } from '../query/sql-value.ts'
import type { SqlValue, Value } from '../vocabulary.ts'
import { textColumn } from './columns.ts'
import { fieldError, required } from './field-error.ts'
import type { FieldKind } from './kind.ts'

const nowhere: GeoPoint = Object.freeze({ lon: 0, lat: 0 })
const badLatitude = fieldError('validation_invalid_latitude', 'Latitude must be between -90 and 90 degrees.')
const badLongitude = fieldError(
  'validation_invalid_longitude',
  'Longitude must be between -180 and 180 degrees.',
)

/** A location. `0, 0` means "no location". */
export const geoPointKind: FieldKind<'geoPoint'> = {
  defaults: { help: '', required: false },
  column: { ...textColumn, affinity: 'number', inside: true, read: geoText },
  inspect: () => ({}),
  bind: ({ definition }) => ({
    zero: nowhere,
    accept: (input) => pointOf(typeof input === 'string' ? parseJson(input) : input),
    modifiers: {},
    check(value) {
      const { lon, lat } = pointOf(value)
      if (lon === 0 && lat === 0) return definition.required ? required : undefined
      if (lat < -90 || lat > 90) return badLatitude
      return lon < -180 || lon > 180 ? badLongitude : undefined
    },
    render: (value: Value) => ({ ...pointOf(value) }),
  }),
  invent: (_, { faker }) => ({
    lon: faker.location.longitude({ precision: 4 }),
    lat: faker.location.latitude({ precision: 4 }),
  }),
  form: {
    name: 'a point such as {"lon": 8.54, "lat": 47.37}',
    fits: (value) => isReadable(typeof value === 'string' ? parseJson(value) : value),
  },
  infers: isPoint,
  control: () => ({ as: 'point' }),
}

/** Key case is ignored, other keys are dropped; a coordinate that is not a number is 0. */
function pointOf(input: unknown): GeoPoint {
  if (!isObject(input)) return nowhere
  const point = { lon: 0, lat: 0 }
  for (const [key, value] of Object.entries(input)) {
    const axis = key.toLowerCase()
    if ((axis === 'lon' || axis === 'lat') && typeof value === 'number') point[axis] = value
  }
  return point
}

/** The stored JSON: longitude first. */
function geoText(value: Value | undefined): SqlValue {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return sqlValue(value)
  const { lon, lat } = value as GeoPoint
  return `{"lon":${jsonText(lon)},"lat":${jsonText(lat)}}`
}

function isPoint(value: unknown): boolean {
  if (!isObject(value)) return false
  const { lon, lat } = value
  return typeof lon === 'number' && typeof lat === 'number' && Object.keys(value).length === 2
}

/** Whether it has a coordinate, and none that is not a number. The case of the keys is ignored, as the field does. */
function isReadable(value: unknown): boolean {
  if (!isObject(value)) return false
  const axes = Object.entries(value).filter(([key]) => /^(?:lon|lat)$/i.test(key))
  return axes.length > 0 && axes.every(([, axis]) => typeof axis === 'number')
}
