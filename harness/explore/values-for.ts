/**
 * Values that a field of an unknown table may take, by what is known of it: what records hold in it, what a rejection says
 * about it, and its name. Pure.
 *
 * @module
 */

import { isIdLike } from './mentioned.ts'
import { plainName } from './plain-name.ts'

/** Characters of a value that is taken from a record. */
const longest = 100

type Row = Readonly<Record<string, unknown>>

/**
 * Values that a field may take, the likeliest first. `{unique}` becomes a word of its own in each create.
 *
 * @param complaint what the server says about the field
 * @param rows records of the table
 * @param ids of records that the field may lead to
 */
export function valuesFor(
  field: string,
  complaint: string,
  rows: readonly Row[],
  ids: readonly unknown[] = [],
): unknown[] {
  const { sure, unsure } = heldIn(field, rows)
  const option = optionIn(complaint)
  const words = field.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').replaceAll(/[_.-]+/g, ' ')
  const about = complaint.replaceAll(field, '')
  const byName = kinds.flatMap(({ name, value }) => (name.test(words) ? [value] : []))
  const byType = kinds.flatMap(({ type, value }) => (type?.test(about) ? [value] : []))
  return [
    ...sure,
    ...ids,
    ...(option === undefined ? [] : [option]),
    ...byType,
    ...byName,
    ...usual,
    ...unsure,
  ]
}

/** The second is for fields that take few letters, and nothing else. */
const usual = ['Text {unique}', 'Ann']

/** What fields are called, how a response says what they take, and what they take. */
const kinds: readonly { name: RegExp; type?: RegExp; value: unknown }[] = [
  { name: /\b(user ?name|login|handle|nick|slug|sku)\b/i, value: '{unique}' },
  { name: /\be?-?mail\b/i, type: /\be-?mail\b/i, value: '{unique}@example.com' },
  {
    name: /^(is|has|accept\w*|agree\w*|consent\w*)\b|\b(terms|tos|privacy|gdpr|active|enabled|done|completed)\b/i,
    type: /\bbool|\baccepted\b/i,
    value: true,
  },
  {
    name: /\b(date|birth ?day|dob|deadline)\b|\b(at|on)$/i,
    type: /\bdate|\biso ?8601|yyyy/i,
    value: '2020-01-01',
  },
  {
    name: /\b(at|on|time|start|end|starts|ends|date)$/i,
    type: /\b(date-?time|timestamp|rfc ?3339)\b/i,
    value: '2020-01-01T12:00:00.000Z',
  },
  {
    name: /\b(age|count|amount|price|total|quantity|qty|number|stock|rank|position|priority|rating|stars|score|size|weight|duration|minutes|capacity)\b/i,
    type: /\b(integer|number|numeric|numerical|decimal|float|int)\b/i,
    value: 20,
  },
  { name: /\byear\b/i, value: 2020 },
  {
    name: /\b(url|uri|link|website|homepage)\b/i,
    type: /\bur[il]\b/i,
    value: 'https://example.com/{unique}',
  },
  { name: /\b(phone|mobile|tel|telephone)\b/i, type: /\b(phone|e\.?164)\b/i, value: '+12025550123' },
  { name: /\bcountry\b/i, type: /\b3166\b/, value: 'US' },
  { name: /\b(lang|language|locale)\b/i, value: 'en' },
  { name: /\bcurrency\b/i, value: 'USD' },
  { name: /\b(time ?zone|tz)\b/i, value: 'UTC' },
  { name: /\b(zip|zip ?code|postal ?code|postcode)\b/i, value: '12345' },
  { name: /\bcolou?r\b/i, value: '#336699' },
  { name: /\b(tags|items|roles|labels|ids)\b/i, type: /\b(array|list)\b/i, value: [] },
  { name: /\b(meta|metadata|settings|options)\b/i, type: /\b(object|dictionary|map)\b/i, value: {} },
]

/** The first of the values that a message lists. */
function optionIn(complaint: string): string | undefined {
  const [, listed] =
    /\b(?:one of|allowed_?values?|choices|enum\w*|options|permitted|either)\b(?:[^A-Za-z0-9-]|\b(?:the|these|those|following|allowed|permitted|values?|are|is|of|expected)\b)*([\w-]+)/i.exec(
      complaint,
    ) ??
    /\bshould be ["'‘“`]([\w-]+)/i.exec(complaint) ??
    []
  return listed
}

/**
 * What records hold in a field. Surely right for a new record: what is not a text, the id of another record, and a text
 * that two records share. Any other text may have to be unique.
 */
function heldIn(field: string, rows: readonly Row[]): { sure: unknown[]; unsure: unknown[] } {
  const held = rows.flatMap((row) => {
    const key = Object.keys(row).find((each) => plainName(each) === plainName(field))
    const value = key === undefined ? undefined : row[key]
    const isUsable = value !== undefined && value !== null && value !== ''
    return isUsable && JSON.stringify(value).length <= longest ? [{ value, id: row.id }] : []
  })
  const [first] = held
  if (first === undefined) return { sure: [], unsure: [] }
  if (typeof first.value !== 'string' || isIdLike(first.value, first.id))
    return { sure: [first.value], unsure: [] }
  const texts = held.map(({ value }) => value)
  const shared = texts.find((text, index) => texts.indexOf(text) !== index)
  return shared === undefined ? { sure: [], unsure: [first.value] } : { sure: [shared], unsure: [] }
}
