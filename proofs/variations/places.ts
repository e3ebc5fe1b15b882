/** Relations, places, and records whose values look otherwise throughout. */

import { all, on } from '../faults/combinators/combinators.ts'
import { fieldRejection, rejects, WRITES } from '../faults/combinators/field.ts'
import { showsAll, showsAs } from './combinators/responses.ts'
import { variation, variationsOf } from './variation.ts'

variationsOf('places')

const values = ['field-types.keep-values', 'update.changes-only-sent'] as const
const shown = ['field-types.all', ...values] as const
const because = 'fields.types'
const near = values

variation(
  'an unset relation is null',
  { because, near: [...shown, 'relation.single-id'] },
  all(
    showsAs('relation', (value) => value || null),
    showsAs('parent', (value) => value || null),
  ),
)
variation(
  'an unset relation is omitted',
  { because, near: [...shown, 'relation.single-id'] },
  all(
    showsAs('relation', (value) => value || undefined),
    showsAs('parent', (value) => value || undefined),
  ),
)
variation(
  'relations are sorted by id',
  { because: '2.1 paragraph 1', near },
  showsAs('relations', (value) => (value as string[]).toSorted()),
)
variation(
  'relations are shown in one string',
  { because: '2.1 paragraph 1', near },
  showsAs('relations', (value) => (value as string[]).join(',')),
)
variation(
  'relations are shown as objects',
  { because: '2.1 paragraph 1', near },
  showsAs('relations', (value) => (value as string[]).map((id) => ({ id, table: 'conf_related' }))),
)
variation(
  'relations are shown as table and id',
  { because: '2.1 paragraph 1', near },
  showsAs('relations', (value) =>
    Object.fromEntries((value as string[]).map((id) => [id, { id, table: 'conf_related' }])),
  ),
)
variation(
  'one of several relations is shown as a string',
  { because: '2.1 paragraph 1', near },
  showsAs('relations', (value) => ((value as string[]).length === 1 ? (value as string[])[0] : value)),
)
variation('relations are shown in another order each time', { because: '2.1 paragraph 1', near }, (tools) => {
  let turn = 0
  return showsAs('relations', (value) => (turn++ % 2 === 0 ? value : (value as string[]).toReversed()))(tools)
})
variation(
  'relations are accepted one at a time',
  { because: '2.1 paragraph 1', near: shown },
  rejects(WRITES, (body) => Array.isArray(body.relations) && body.relations.length > 1, 422),
)
variation(
  'a relation that is not a string is rejected',
  { because: '2.1 paragraph 1', near: [...shown, 'derived.create-record', 'derived.update-record'] },
  rejects(WRITES, (body) => 'relation' in body && typeof body.relation !== 'string', 422),
)
variation(
  'an empty list of relations is null',
  { because, near: shown },
  showsAs('relations', (value) => ((value as string[]).length === 0 ? null : value)),
)

const place = (write: (lon: number, lat: number) => unknown) =>
  showsAs('geo', (value) => {
    const { lon, lat } = value as { lon?: number; lat?: number }
    // `fields` may have removed a part.
    return lon === undefined || lat === undefined ? value : write(lon, lat)
  })
variation(
  'a place is shown as a list',
  { because, near: shown },
  place((lon, lat) => [lon, lat]),
)
variation(
  'a place is shown as latitude and longitude',
  { because, near },
  place((lon, lat) => ({ latitude: lat, longitude: lon })),
)
variation(
  'a place is shown as GeoJSON',
  { because, near: shown },
  place((lon, lat) => ({ type: 'Point', coordinates: [lon, lat] })),
)
variation(
  'a place is shown as well-known text',
  { because, near },
  place((lon, lat) => `POINT(${lon} ${lat})`),
)
variation(
  'a place is shown in strings',
  { because, near },
  place((lon, lat) => ({ lon: String(lon), lat: String(lat) })),
)
variation(
  'a place is shown with seven decimals',
  { because, near },
  place((lon, lat) => ({ lon: Number(lon.toFixed(7)), lat: Number(lat.toFixed(7)) })),
)
variation(
  'a place is shown with four decimals',
  { because, near },
  place((lon, lat) => ({ lon: Number(lon.toFixed(4)), lat: Number(lat.toFixed(4)) })),
)
variation(
  'an unset place is null',
  { because, near: shown },
  place((lon, lat) => (lon === 0 && lat === 0 ? null : { lon, lat })),
)
variation(
  'places, dates and numbers are accepted in other forms only',
  { because, near: ['field-types.all', 'field-types.keep-values'] },
  rejects(WRITES, (body) => 'date' in body || 'geo' in body || typeof body.number === 'number'),
)
variation(
  'values are shown in other forms throughout',
  { because, near: shown },
  all(
    showsAs('date', (value) => String(value).replace(' ', 'T')),
    showsAs('geo', (value) => Object.values(value as object)),
    showsAs('number', String),
    showsAs('json', (value) => JSON.stringify(value)),
  ),
)
variation(
  'fields that were never set are omitted',
  { because, near: [...shown, 'record.table-fields', 'relation.single-id'] },
  showsAll((value) =>
    value === '' || value === null || (Array.isArray(value) && value.length === 0) ? undefined : value,
  ),
)
variation(
  'multipart is rejected',
  { because: 'records.bodies', near: [...shown, 'create.json'] },
  on(WRITES, async (request, next) =>
    (request.headers.get('content-type') ?? '').startsWith('multipart/')
      ? fieldRejection(415)
      : next(request),
  ),
)
variation(
  'fields that were never set are omitted, and multipart is rejected',
  {
    because,
    near: shown,
    declares: { 'field-types.all': 'nothing that the suite sends fills a file field' },
  },
  all(
    showsAll((value) => (value === '' || (Array.isArray(value) && value.length === 0) ? undefined : value)),
    on(WRITES, async (request, next) =>
      (request.headers.get('content-type') ?? '').startsWith('multipart/')
        ? fieldRejection(415)
        : next(request),
    ),
  ),
)
