/** Defects of field types: wrong readings, forgotten constraints, lost modifiers. */

import { reorder } from './combinators/combinators.ts'
import { acceptsField, echoes, forgets, misreads, rejects, shows } from './combinators/field.ts'
import { fault } from './fault.ts'

const isText = (value: unknown): value is string => typeof value === 'string'

fault(
  'texts are trimmed',
  { trips: ['text.casts'] },
  misreads('text', (value) => (isText(value) ? value.trim() : value)),
)
fault(
  'a text may be too short',
  { trips: ['text.min'] },
  acceptsField('short', 'validation_min_text_constraint'),
)
fault(
  'a text may be too long',
  { trips: ['text.max'] },
  acceptsField('short', 'validation_max_text_constraint'),
)
fault(
  'a text without max is endless',
  { trips: ['text.default-max'] },
  acceptsField('text', 'validation_max_text_constraint'),
)
fault(
  'patterns of texts are forgotten',
  { trips: ['text.pattern', 'text.max'] },
  acceptsField('short', 'validation_invalid_format'),
)
fault(
  'an empty text must have min characters',
  { trips: ['text.empty-unconstrained'] },
  rejects('createRecord', ({ short }) => short === ''),
)
fault(
  'every generated text is the same',
  { trips: ['text.autogenerate'] },
  shows('auto', (value) => (/^[a-z]{8}$/.test(String(value)) ? 'aaaaaaaa' : value)),
)
fault(
  'the modifier autogenerate is unknown',
  { trips: ['text.autogenerate-modifier'] },
  forgets(['createRecord', 'updateRecord'], (key) => key.endsWith(':autogenerate')),
)

fault(
  'numbers in texts are not read',
  { trips: ['number.casts'] },
  misreads('number', (value) => (isText(value) ? 0 : value)),
)
fault(
  'NaN passes as a number',
  { trips: ['number.not-finite'] },
  acceptsField('number', 'validation_not_a_number'),
)
fault(
  'onlyInt is forgotten',
  { trips: ['number.only-int'] },
  acceptsField('whole', 'validation_only_int_constraint'),
)
fault(
  'a number may be too small',
  { trips: ['number.min'] },
  acceptsField('range', 'validation_min_number_constraint'),
)
fault(
  'a number may be too large',
  { trips: ['number.max', 'modifier.result-validated'] },
  acceptsField('range', 'validation_max_number_constraint'),
)
fault(
  'every text that is not empty is true',
  { trips: ['bool.casts'] },
  misreads('bool', (value) => (isText(value) ? value !== '' : value)),
)

fault('anything is an address', { trips: ['email.format'] }, acceptsField('email', 'validation_is_email'))
fault(
  'addresses become lower case',
  { trips: ['email.keeps-case'] },
  misreads('email', (value) => String(value ?? '').toLowerCase()),
)
fault(
  'onlyDomains of addresses is forgotten',
  { trips: ['email.only-domains', 'field.all-failures'] },
  acceptsField('domain', 'validation_email_domain_not_allowed'),
)
fault(
  'exceptDomains is forgotten',
  { trips: ['email.except-domains'] },
  acceptsField('notdomain', 'validation_email_domain_not_allowed'),
)
fault('anything is a URL', { trips: ['url.format'] }, acceptsField('url', 'validation_invalid_url'))
fault(
  'onlyDomains of URLs is forgotten',
  { trips: ['url.only-domains'] },
  acceptsField('link', 'validation_url_domain_not_allowed'),
)
fault(
  'exceptDomains of URLs is forgotten',
  { trips: ['url.except-domains'] },
  acceptsField('notlink', 'validation_url_domain_not_allowed'),
)
fault(
  'markup is cleaned of scripts',
  { trips: ['editor.keeps-markup'] },
  misreads('editor', (value) => String(value ?? '').replace(/<script.*<\/script>/, '')),
)
fault(
  'an editor text may be too large',
  { trips: ['editor.max-size'] },
  acceptsField('tiny', 'validation_content_size_limit'),
)

fault(
  'dates are shown with a T',
  { trips: ['date.normalises'] },
  shows('date', (value) => String(value).replace(' ', 'T')),
)
fault(
  'numbers are read as seconds since 1970',
  { trips: ['date.unreadable'] },
  misreads('date', (value) => (typeof value === 'number' ? new Date(value * 1000).toISOString() : value)),
)
fault(
  'a date may be too early',
  { trips: ['date.min'] },
  acceptsField('period', 'validation_min_greater_equal_than_required'),
)
fault(
  'a date may be too late',
  { trips: ['date.max'] },
  acceptsField('period', 'validation_max_less_equal_than_required'),
)
fault('clients set autodate fields', { trips: ['autodate.ignores-input'] }, echoes('stamp'))
fault(
  'autodate fields are always set on create',
  { trips: ['autodate.only-update'] },
  shows('touched', (_touched, { created }) => created, 'createRecord'),
)
fault(
  'autodate fields stand still',
  { trips: ['autodate.moves'] },
  shows('stamp', () => '2020-01-01 00:00:00.000Z'),
)

fault(
  'selected values are sorted',
  { trips: ['select.casts', 'modifier.append'] },
  shows('selects', (value) => [...(value as string[])].sort()),
)
fault(
  'a single select keeps the first value',
  { trips: ['select.last-of-many'] },
  misreads('select', (value) => (Array.isArray(value) ? value[0] : value)),
)
fault(
  'any value can be selected',
  { trips: ['select.unknown-value'] },
  acceptsField('select', 'validation_invalid_value'),
)
fault(
  'a list of selected values is not looked at',
  { trips: ['select.unknown-value'] },
  acceptsField('selects', 'validation_invalid_value'),
)
fault(
  'too many values can be selected',
  { trips: ['select.too-many', 'modifier.result-validated'] },
  acceptsField('two', 'validation_too_many_values'),
)

fault(
  'an empty json object becomes null',
  { trips: ['json.keeps'] },
  shows('json', (value) => (JSON.stringify(value) === '{}' ? null : value)),
)
fault(
  'json lists grow by a null',
  { trips: ['json.keeps', 'field-types.keep-values'] },
  shows('json', (value) => (Array.isArray(value) ? [...value, null] : value)),
)
fault(
  'JSON in a text stays a text',
  { trips: ['json.rereads-text'] },
  misreads('json', (value) => (isText(value) ? JSON.stringify(value) : value)),
)
fault(
  'json may be too large',
  { trips: ['json.max-size'] },
  acceptsField('small', 'validation_json_size_limit'),
)
fault(
  'longitude and latitude change places',
  { trips: ['geo.casts', 'field-types.keep-values'] },
  shows('geo', (value) => ({ lon: (value as { lat: number }).lat, lat: (value as { lon: number }).lon })),
)
fault('any latitude passes', { trips: ['geo.latitude'] }, acceptsField('geo', 'validation_invalid_latitude'))
fault(
  'any longitude passes',
  { trips: ['geo.longitude'] },
  acceptsField('geo', 'validation_invalid_longitude'),
)

// What random values seldom are.
const kept = { trips: ['field-types.keep-values'] }
for (const field of ['number', 'bool', 'email', 'url', 'editor', 'date', 'selects', 'relation'])
  fault(
    `an update keeps a ${field} that is set back to nothing`,
    kept,
    forgets('updateRecord', (key, value) => key === field && (!value || String(value) === '')),
  )
fault(
  'numbers beyond a milliard are kept with seven digits',
  kept,
  misreads('number', (value) => (Math.abs(Number(value)) > 1e10 ? Math.fround(Number(value)) : value)),
)
fault(
  'the largest whole numbers are off by one',
  kept,
  misreads('number', (value) => (value === 2 ** 53 - 1 ? 2 ** 53 : value)),
)
fault(
  'texts end after a thousand characters',
  kept,
  misreads('text', (value) => (isText(value) ? value.slice(0, 1_000) : value)),
)
fault(
  'texts end at a quotation mark',
  kept,
  misreads('text', (value) => (isText(value) ? value.replace(/'.*/s, '') : value)),
)
for (const length of [65_536, 1_048_576])
  fault(
    `what is longer than ${length} characters is shown up to there`,
    kept,
    shows('editor', (value) => (isText(value) ? value.slice(0, length) : value)),
  )
fault(
  'lists show the first 64 KiB of a text',
  kept,
  reorder((items) =>
    items.map((item) => (isText(item.editor) ? { ...item, editor: item.editor.slice(0, 65_536) } : item)),
  ),
)
