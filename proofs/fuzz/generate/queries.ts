/**
 * Query strings of an operation, from the parameters that the description gives it.
 *
 * @module
 */

import fc, { type Arbitrary } from 'fast-check'
import type { OperationSpec } from '../../../spec/openapi.ts'
import type { TableDefinition } from '../../../spec/table-definition.ts'
import { fillBlank } from '../blanks.ts'
import { expands, filters, mutatedText, picks, sorts } from './filters.ts'
import { oddStrings } from './odd-strings.ts'

type Pair = readonly [name: string, value: string]

const oddNumbers = [
  '0',
  '-1',
  '1.5',
  '1e3',
  '',
  'x',
  '99999999999999999999',
  '9223372036854775807',
  ' 1',
  '+1',
  'NaN',
]

/** Percent-encodes whatever a request line may not hold, and lone surrogates as the bytes they become. */
export function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replaceAll('%EE%80%80', '\uE000')
    .replaceAll('%EE%80%81', '\uE001')
}

function parameterValues(name: string, table: TableDefinition): Arbitrary<string> {
  switch (name) {
    case 'filter':
      return fc.oneof(
        { weight: 6, arbitrary: filters(table) },
        { weight: 1, arbitrary: mutatedText(filters(table)) },
      )
    case 'sort':
      return sorts(table)
    case 'expand':
      return expands(table)
    case 'fields':
      return picks(table)
    case 'mfaId':
      return fc.constant(fillBlank('mfaId'))
    case 'skipTotal':
      return fc.constantFrom('1', 'true', 't', '0', '', 'maybe')
    default:
      return fc.oneof(fc.integer({ min: 1, max: 50 }).map(String), fc.constantFrom(...oddNumbers))
  }
}

const spoiled: readonly ((query: string) => string)[] = [
  (query) => query.replaceAll('&', ';'),
  (query) => `${query};page=1`,
  (query) => `${query}&${query}`,
  (query) => query.replaceAll('%20', '+'),
  (query) => `${query}&%`,
  (query) => `${query}%zz`,
  (query) => `${query}&%ff=%fe`,
  (query) => `&&=&${query}&=&&`,
  (query) => `${query}?page=2`,
  (query) => query.replaceAll('=', '%3D'),
  (query) => `__proto__=1&constructor=2&${query}`,
  (query) => `${query}&page[]=1&page[a]=2`,
  (query) => `${query}#fragment`,
  (query) => query.replaceAll('fields', 'Fields').replaceAll('page', 'PAGE'),
]

/** With the question mark, or empty. */
export function queriesOf(operation: OperationSpec, table: TableDefinition): Arbitrary<string> {
  const names = operation.parameters.flatMap((each) => (each.in === 'query' ? [each.name] : []))
  const known = names.map((name) => parameterValues(name, table).map((value): Pair => [name, value]))
  const rule = fc.constantFrom<Pair>(['sure', 'yes'], ['fields', 'id'], ['fields', 'otpId'], ['filter', ''])
  const odd = fc.tuple(fc.constantFrom('page', 'filter', 'fields', 'sort', 'x', '', '__proto__'), oddStrings)
  const pair: Arbitrary<Pair> = fc.oneof(...known.map((arbitrary) => ({ weight: 4, arbitrary })), rule, odd)
  const query = fc
    .array(pair, { minLength: 1, maxLength: 3 })
    .map((pairs) => pairs.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&'))
  const all = fc.oneof(
    { weight: 5, arbitrary: query },
    {
      weight: 1,
      arbitrary: fc.tuple(query, fc.constantFrom(...spoiled)).map(([text, spoil]) => spoil(text)),
    },
  )
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant('') },
    { weight: 4, arbitrary: all.map((text) => `?${text}`) },
  )
}
