/** Defects of field types: wrong readings, forgotten constraints, lost modifiers. */

import { isJsonObject, reorder } from './combinators/combinators.ts'
import { acceptsField, echoes, forgets, misreads, rejects, shows } from './combinators/field.ts'
import { fault } from './fault.ts'

const isText = (value: unknown): value is string => typeof value === 'string'

fault(
  'strings are trimmed',
  { trips: ['text.casts'] },
  misreads('text', (value) => (isText(value) ? value.trim() : value)),
)
fault(
  'min of a text field is ignored',
  { trips: ['text.min'] },
  acceptsField('short', 'validation_min_text_constraint'),
)
fault(
  'max of a text field is ignored',
  { trips: ['text.max'] },
  acceptsField('short', 'validation_max_text_constraint'),
)
fault(
  'a text field without max has no limit',
  { trips: ['text.default-max'] },
  acceptsField('text', 'validation_max_text_constraint'),
)
fault(
  'pattern of a text field is ignored',
  { trips: ['text.pattern', 'text.max'] },
  acceptsField('short', 'validation_invalid_format'),
)
fault(
  'min applies to an empty string',
  { trips: ['text.empty-unconstrained'] },
  rejects('createRecord', ({ short }) => short === ''),
)
fault(
  'every generated string is the same',
  { trips: ['text.autogenerate'] },
  shows('auto', (value) => (/^[a-z]{8}$/.test(String(value)) ? 'aaaaaaaa' : value)),
)
fault(
  'the modifier autogenerate is unknown',
  { trips: ['text.autogenerate-modifier'] },
  forgets(['createRecord', 'updateRecord'], (key) => key.endsWith(':autogenerate')),
)

fault(
  'numbers in strings are rejected',
  { trips: ['number.casts'] },
  misreads('number', (value) => (isText(value) ? 0 : value)),
)
fault(
  'NaN is accepted as a number',
  { trips: ['number.not-finite'] },
  acceptsField('number', 'validation_not_a_number'),
)
fault(
  'onlyInt is ignored',
  { trips: ['number.only-int'] },
  acceptsField('whole', 'validation_only_int_constraint'),
)
fault(
  'min of a number field is ignored',
  { trips: ['number.min'] },
  acceptsField('range', 'validation_min_number_constraint'),
)
fault(
  'max of a number field is ignored',
  { trips: ['number.max', 'modifier.result-validated'] },
  acceptsField('range', 'validation_max_number_constraint'),
)
fault(
  'every string that is not empty is true',
  { trips: ['bool.casts'] },
  misreads('bool', (value) => (isText(value) ? value !== '' : value)),
)

fault(
  'any string is accepted by an email field',
  { trips: ['email.format'] },
  acceptsField('email', 'validation_is_email'),
)
fault(
  'addresses are stored in lower case',
  { trips: ['email.keeps-case'] },
  misreads('email', (value) => String(value ?? '').toLowerCase()),
)
fault(
  'onlyDomains of an email field is ignored',
  { trips: ['email.only-domains', 'field.all-failures'] },
  acceptsField('domain', 'validation_email_domain_not_allowed'),
)
fault(
  'exceptDomains of an email field is ignored',
  { trips: ['email.except-domains'] },
  acceptsField('notdomain', 'validation_email_domain_not_allowed'),
)
fault(
  'any string is accepted as a URL',
  { trips: ['url.format'] },
  acceptsField('url', 'validation_invalid_url'),
)
fault(
  'onlyDomains of a url field is ignored',
  { trips: ['url.only-domains'] },
  acceptsField('link', 'validation_url_domain_not_allowed'),
)
fault(
  'exceptDomains of a url field is ignored',
  { trips: ['url.except-domains'] },
  acceptsField('notlink', 'validation_url_domain_not_allowed'),
)
fault(
  'scripts are removed from HTML',
  { trips: ['editor.keeps-markup'] },
  misreads('editor', (value) => String(value ?? '').replace(/<script.*<\/script>/, '')),
)
fault(
  'maxSize of an editor field is ignored',
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
  'min of a date field is ignored',
  { trips: ['date.min'] },
  acceptsField('period', 'validation_min_greater_equal_than_required'),
)
fault(
  'max of a date field is ignored',
  { trips: ['date.max'] },
  acceptsField('period', 'validation_max_less_equal_than_required'),
)
fault('clients can set autodate fields', { trips: ['autodate.ignores-input'] }, echoes('stamp'))
fault(
  'autodate fields are always set on create',
  { trips: ['autodate.only-update'] },
  shows('touched', (_touched, { created }) => created, 'createRecord'),
)
fault(
  'autodate fields are not updated',
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
  'a list of selected values is not checked',
  { trips: ['select.unknown-value'] },
  acceptsField('selects', 'validation_invalid_value'),
)
fault(
  'maxSelect of a select field is ignored',
  { trips: ['select.too-many', 'modifier.result-validated'] },
  acceptsField('two', 'validation_too_many_values'),
)

fault(
  'json loses keys whose value is null',
  { trips: ['field-types.keep-values'] },
  shows('json', (value) =>
    isJsonObject(value)
      ? Object.fromEntries(Object.entries(value).filter(([, held]) => held !== null))
      : value,
  ),
)
fault(
  'an empty json object becomes null',
  { trips: ['json.keeps'] },
  shows('json', (value) => (JSON.stringify(value) === '{}' ? null : value)),
)
fault(
  'JSON arrays get an additional null',
  { trips: ['json.keeps', 'field-types.keep-values'] },
  shows('json', (value) => (Array.isArray(value) ? [...value, null] : value)),
)
fault(
  'JSON objects whose keys are numbers become arrays',
  { trips: ['field-types.keep-values'] },
  misreads('json', (value) =>
    isJsonObject(value) && /^\d+$/.test(Object.keys(value).join('')) ? Object.values(value) : value,
  ),
)
fault(
  'JSON in a string stays a string',
  { trips: ['json.rereads-text'] },
  misreads('json', (value) => (isText(value) ? JSON.stringify(value) : value)),
)
fault(
  'maxSize of a json field is ignored',
  { trips: ['json.max-size'] },
  acceptsField('small', 'validation_json_size_limit'),
)
fault(
  'longitude and latitude are swapped',
  { trips: ['geo.casts', 'field-types.keep-values'] },
  shows('geo', (value) => ({ lon: (value as { lat: number }).lat, lat: (value as { lon: number }).lon })),
)
fault(
  'any latitude is accepted',
  { trips: ['geo.latitude'] },
  acceptsField('geo', 'validation_invalid_latitude'),
)
fault(
  'any longitude is accepted',
  { trips: ['geo.longitude'] },
  acceptsField('geo', 'validation_invalid_longitude'),
)

// What random values seldom are.
const kept = { trips: ['field-types.keep-values'] }
for (const field of ['number', 'bool', 'email', 'url', 'editor', 'date', 'selects', 'relation'])
  fault(
    `an update does not clear a ${field} field`,
    kept,
    forgets('updateRecord', (key, value) => key === field && (!value || String(value) === '')),
  )
fault(
  'numbers above a billion keep seven digits',
  kept,
  misreads('number', (value) => (Math.abs(Number(value)) > 1e10 ? Math.fround(Number(value)) : value)),
)
fault(
  'the largest whole numbers are off by one',
  kept,
  misreads('number', (value) => (value === 2 ** 53 - 1 ? 2 ** 53 : value)),
)
fault(
  'strings are truncated to a thousand characters',
  kept,
  misreads('text', (value) => (isText(value) ? value.slice(0, 1_000) : value)),
)
fault(
  'strings are truncated to four thousand characters',
  kept,
  misreads('text', (value) => (isText(value) ? value.slice(0, 4_000) : value)),
)
fault(
  'titles lose their backslashes',
  { trips: ['create.persists', 'update.applies'] },
  misreads('title', (value) => (isText(value) ? value.replaceAll('\\', '') : value)),
)
fault(
  'strings end at a quotation mark',
  kept,
  misreads('text', (value) => (isText(value) ? value.replace(/'.*/s, '') : value)),
)
fault(
  'strings end at a character 0',
  kept,
  misreads('text', (value) => (isText(value) ? value.replace(/\0.*/s, '') : value)),
)
fault(
  'places are rounded to a kilometer',
  kept,
  misreads('geo', (value) =>
    Object.fromEntries(Object.entries(value ?? {}).map(([key, part]) => [key, Math.round(part * 100) / 100])),
  ),
)
fault(
  'a longitude has no sign',
  kept,
  misreads('geo', (value) =>
    Object.fromEntries(
      Object.entries(value ?? {}).map(([key, part]) => [key, key === 'lon' ? Math.abs(part) : part]),
    ),
  ),
)
fault(
  'numbers between -1 and 0 are 0',
  kept,
  misreads('number', (value) => (Number(value) > -1 && Number(value) < 0 ? 0 : value)),
)
fault(
  'emails lose what follows a plus sign',
  kept,
  misreads('email', (value) => (typeof value === 'string' ? value.replace(/\+.*(?=@)/, '') : value)),
)
fault(
  'strings end with their first line',
  kept,
  misreads('text', (value) => (isText(value) ? value.replace(/(\S)[\r\n].*/s, '$1') : value)),
)
fault(
  'dates before 1970 become the first moment of 1970',
  kept,
  misreads('date', (value) => (isText(value) && /^19[0-6]/.test(value) ? '1970-01-01 00:00:00.000Z' : value)),
)
const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0
fault(
  'JSON that is nested deeply becomes an empty object',
  kept,
  misreads('json', (value) => (depthOf(value) > 4 ? {} : value)),
)
fault(
  'JSON lists end after twenty entries',
  kept,
  misreads('json', (value) => (Array.isArray(value) ? value.slice(0, 20) : value)),
)
fault(
  'of many related records, three are kept',
  kept,
  misreads('relations', (value) => (Array.isArray(value) ? value.slice(0, 3) : value)),
)
for (const length of [65_536, 1_048_576])
  fault(
    `strings are truncated to ${length} characters`,
    kept,
    shows('editor', (value) => (isText(value) ? value.slice(0, length) : value)),
  )
fault(
  'lists truncate strings to 64 KiB',
  kept,
  reorder((items) =>
    items.map((item) => (isText(item.editor) ? { ...item, editor: item.editor.slice(0, 65_536) } : item)),
  ),
)
for (const [what, form, read] of [
  ['numbers', /^0\d+$/, (text: string) => String(Number(text))],
  ['dates', /^\d{4}-\d\d-\d\d$/, (text: string) => `${text} 00:00:00.000Z`],
  ['JSON', /^\{".*\}$/, () => '[object Object]'],
  ['parts of a URL', /%20/, (text: string) => text.replaceAll('%20', ' ').replaceAll('+', ' ')],
  ['moments', /^\d{4}-\d\d-\d\dT/, (text: string) => text.slice(0, 10)],
  ['entities', /&amp;/, (text: string) => text.replaceAll('&amp;', '&')],
  ['escaped quotation marks', /\\'/, (text: string) => text.replaceAll("\\'", "'")],
  ['escaped backslashes', /\\\\/, (text: string) => text.replaceAll('\\\\', '\\')],
  ['variables', /\$\w/, (text: string) => text.replaceAll(/\$\w+/g, '')],
  ['variables in braces', /\$\{/, (text: string) => text.replaceAll(/\$\{\w+\}/g, '')],
  ['comments', /\/\//, (text: string) => text.replaceAll(/\/\/.*/g, '')],
  ['placeholders', /\{\{name\}\}/, (text: string) => text.replace('{{name}}', '')],
] as const)
  fault(
    `strings that look like ${what} are read as such`,
    kept,
    misreads('text', (value) => (isText(value) && form.test(value) ? read(value) : value)),
  )
fault(
  'lists show strings of digits without leading zeros',
  kept,
  reorder((items) =>
    items.map((item) =>
      isText(item.text) && /^0\d+$/.test(item.text) ? { ...item, text: String(Number(item.text)) } : item,
    ),
  ),
)
for (const length of [80, 255])
  fault(
    `titles are cut after ${length} characters`,
    { trips: ['create.persists'] },
    misreads('title', (value) => (isText(value) ? value.slice(0, length) : value)),
  )

fault(
  'the string true becomes a bool',
  { trips: ['field-types.keep-values'] },
  shows('text', (value) => (value === 'true' ? true : value)),
)
fault(
  'the 29th of February becomes the 28th',
  { trips: ['field-types.keep-values'] },
  misreads('date', (value) => (isText(value) ? value.replace('-02-29', '-02-28') : value)),
)
for (const [word, value] of [
  ['true', true],
  ['false', false],
  ['0', 0],
  ['null', null],
] as const) {
  const read = (sent: unknown) => (sent === word ? value : sent)
  fault(
    `the text ${word} is shown as another value`,
    { trips: ['create.persists'] },
    shows('text', (text) => read(text)),
  )
  fault(
    `a create stores nothing for the string ${word}`,
    { trips: ['create.persists'] },
    misreads('text', (text) => (text === word ? null : text), 'createRecord'),
  )
  fault(
    `the name ${word} is shown as another value`,
    { trips: ['create.persists'] },
    shows('name', (name) => read(name)),
  )
  fault(
    `the title ${word} is shown as another value`,
    { trips: ['update.applies'] },
    shows('title', (title) => read(title)),
  )
}
