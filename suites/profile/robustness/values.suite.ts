/** Hostile values in well-formed bodies (gap `errors.envelope`). */

import fc from 'fast-check'
import { check } from '../../../harness/check.ts'
import { expectEqual, expectThat } from '../../../harness/judging/expect.ts'
import type { Api } from '../../../harness/vocabulary/api.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { listOf, recordOf } from '../../shared/records/record-of.ts'
import { fieldsOf } from '../../shared/records/samples.ts'
import { spelledQuery } from '../spelled-query.ts'
import { expectOrdinary, expectSafe } from './expect-safe.ts'

const post = (api: Api, table: TableRef, body: string) =>
  api.raw({
    method: 'POST',
    path: api.path.records(table),
    headers: { 'content-type': 'application/json' },
    body,
  })

const FIELDS = [
  ...fieldsOf('everything').flatMap(({ name }) => (name === 'text' ? [] : [name])),
  'id',
  'created',
]
const MODIFIERS = ['', '', '', '+', '-', ':autogenerate', ':each']

check('robust.hostile-values', async ({ api, table, property, unique }) => {
  const everything = table('everything')
  const key = fc
    .tuple(fc.constantFrom(...FIELDS), fc.constantFrom(...MODIFIERS))
    .map(([field, modifier]) => field + modifier)
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom('{"a":', '[', '9'.repeat(400), '../../etc/passwd', "'; DROP TABLE x; --", '{{7*7}}'),
  )
  await property([fc.dictionary(key, value, { minKeys: 1, maxKeys: 3 })], async (fields) => {
    const text = unique('hostile')
    const response = await post(api, everything, JSON.stringify({ ...fields, text }))
    expectSafe(response, 'a create')
    const { items } = listOf(await api.list(everything, { filter: `text = "${text}"` }))
    expectEqual(
      items.length,
      response.ok ? 1 : 0,
      `the records written by a create that returned ${response.status}`,
    )
    if (response.ok)
      expectEqual(
        recordOf(await api.view(everything, items[0]?.id ?? '')),
        recordOf(response),
        'a view of the created record',
      )
  })
})

check('robust.prototype-keys', async (context) => {
  const { api, table, unique } = context
  const text = unique('text')
  const hostile = `{"text":${JSON.stringify(text)},"__proto__":{"editor":"polluted","polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":1,"hasOwnProperty":2}`
  const created = await post(api, table('everything'), hostile)
  expectSafe(created, 'a create with __proto__')
  if (created.ok) expectEqual(recordOf(created).text, text, 'text sent with __proto__')
  const json = await post(
    api,
    table('everything'),
    `{"text":"${unique('json')}","json":{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}}`,
  )
  expectSafe(json, 'a create with __proto__ in a json field')
  expectSafe(
    await api.raw({
      method: 'GET',
      path: `${api.path.records(table('plain'))}?__proto__=1&constructor=2&${spelledQuery(context, ['perPage', 1])}`,
    }),
    'a list with __proto__ in the query',
  )
  for (const name of ['__proto__', 'constructor', 'hasOwnProperty']) {
    const response = await api.raw({ method: 'GET', path: api.path.records(name) })
    expectSafe(response, `a list of ${name}`)
    expectThat(!response.ok, `a table named ${name} was found`, 'a rejection', response.text)
  }
  const later = recordOf(await api.create(table('everything'), { text: unique('later') }))
  expectEqual(later.editor, '', 'a field that a later create leaves out')
  expectThat(!('polluted' in later), 'a later record has a key of an earlier body', 'no such key', later)
})

check('robust.surrogates', async (context) => {
  const { api, table, unique } = context
  await expectOrdinary(context, 'everything')
  const strings = ['\\ud800', 'a\\udc00b', '\\u0000', 'x\\u0000y', '\\ufffe', '\\u202e', '\\ud83e\\udd89']
  for (const text of strings) {
    for (const field of ['text', 'editor', 'json', 'email', 'select']) {
      const own = `"${field === 'text' ? 'editor' : 'text'}":"${unique('own')}"`
      const response = await post(api, table('everything'), `{${own},${JSON.stringify(field)}:"${text}"}`)
      expectSafe(response, `a create with ${text} in ${field}`)
      if (response.ok)
        expectSafe(
          await api.view(table('everything'), recordOf(response).id),
          `a view of ${text} in ${field}`,
        )
    }
  }
})

check('robust.huge-numbers', async (context) => {
  const { api, table, unique } = context
  await expectOrdinary(context, 'everything')
  for (const number of [
    '1e999',
    '-1e999',
    '1e308',
    '9'.repeat(400),
    '1e-999',
    '-0',
    '123456789012345678901234567890',
    '"1e999"',
    '"-Infinity"',
  ]) {
    for (const field of ['number', 'json', 'text', 'geo']) {
      const value = field === 'geo' ? `{"lon":${number},"lat":1}` : number
      const own = `"editor":"${unique('own')}"`
      const response = await post(api, table('everything'), `{${own},"${field}":${value}}`)
      expectSafe(response, `a create with ${number.slice(0, 20)} in ${field}`)
      if (!response.ok) continue
      const viewed = recordOf(await api.view(table('everything'), recordOf(response).id))
      expectThat(
        Number.isFinite(viewed.number),
        'a number field does not read as a finite number',
        'a finite number',
        viewed.number,
      )
    }
  }
})
