/** Long and deep query parameters, and what is deep in a text (gap `errors.envelope`). */

import { check } from '../../../harness/check.ts'
import { expectEqual, objectBody } from '../../../harness/judging/expect.ts'
import { nestedByUs } from '../../../harness/wire/json-of.ts'
import { sample } from '../lists/sample.ts'
import { expectSafe } from './expect-safe.ts'
import { longValues } from './long-values.ts'

check('robust.long-parameters', async ({ api, table, make, unique }) => {
  const related = await make(table('related'), { name: unique('name') })
  const { id, text } = await make(table('everything'), { text: unique('text'), relation: related.id })
  const view = await api.view(table('everything'), id, { expand: 'relation', fields: 'text' })
  expectEqual(objectBody(view), { text }, 'a view with `fields` and `expand`')
  for (const parameter of ['fields', 'sort', 'expand'])
    for (const value of longValues) {
      const what = `${parameter}=${value.slice(0, 20)}… of ${value.length} characters`
      expectSafe(
        await api.list(table('everything'), { perPage: 1, [parameter]: value }),
        `a list with ${what}`,
      )
      if (parameter !== 'sort')
        expectSafe(await api.view(table('everything'), id, { [parameter]: value }), `a view with ${what}`)
    }
})

check('robust.deep-groups', async (context) => {
  const { whole, table, select } = await sample(context, { a: { text: 'A' }, b: {} })
  expectEqual(await select("(text = 'A')"), 'a', 'the records that one group selects')
  const open = '('.repeat(900)
  for (const inner of ["text = 'A'", "text = 'A' || (bool = true", ''])
    for (const close of [')'.repeat(900), ''])
      expectSafe(
        await context.api.list(table, { filter: `${whole} && ${open}${inner}${close}` }),
        `a filter with 900 groups around "${inner}", ${close === '' ? 'none closed' : 'each closed'}`,
      )
})

check('robust.deep-json-text', async (context) => {
  const { api } = context
  const { mark, whole, table, select } = await sample(context, { a: { json: '[[1]]' }, b: {} })
  expectEqual(await select('json != null'), 'a', 'the records that a filter on json selects')
  for (const [opened, closed] of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const) {
    const json = `${opened.repeat(1200)}"${nestedByUs}"${closed.repeat(1200)}`
    expectSafe(await api.create(table, { editor: mark, json }), `a create with a string of 1200 ${opened}`)
    for (const filter of ['json != null', 'json.a = 1', "json ~ '1'", 'json:length > 0'])
      expectSafe(await api.list(table, { filter: `${whole} && ${filter}` }), `a list with ${filter}`)
  }
})
