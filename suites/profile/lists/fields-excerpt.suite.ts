/** Strings that are cut with `:excerpt` (standard profile, gap `fields.syntax`). */

import { check } from '../../../harness/check.ts'
import { expectEqual, expectRejection, objectBody } from '../../../harness/judging/expect.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { signedIn } from '../../shared/auth/sessions.ts'
import { listOf } from '../../shared/records/record-of.ts'
import { sample, sampleId } from './sample.ts'

/** What a record with these values shows of itself for each `fields`. */
async function expectExcerpts(
  context: CheckContext,
  body: Record<string, unknown>,
  cases: Readonly<Record<string, unknown>>,
): Promise<void> {
  const found = await sample(context, { a: body })
  for (const [fields, expected] of Object.entries(cases)) {
    const response = await context.api.view(found.table, sampleId(found, 'a'), { fields })
    expectEqual(objectBody(response), expected, `the record with fields=${fields}`)
  }
}

check('fields.excerpt', (context) =>
  expectExcerpts(
    context,
    {
      text: 'Hello wonderful world',
      url: 'http://example.com',
      json: { inner: 'abcdef' },
      editor: '<p>One   <b>two</b></p>\n<p>three</p>',
    },
    {
      'text:excerpt(5)': { text: 'Hello' },
      'text:excerpt(100)': { text: 'Hello wonderful world' },
      'text:excerpt(11),url': { text: 'Hello wonde', url: 'http://example.com' },
      'editor:excerpt(100)': { editor: 'One two three' },
      'editor:excerpt(4)': { editor: 'One' },
      'json.inner:excerpt(2)': { json: { inner: 'ab' } },
    },
  ),
)

check('fields.excerpt-ellipsis', (context) =>
  expectExcerpts(
    context,
    { text: 'Hello world', email: 'a@example.com' },
    {
      'text:excerpt(5,true)': { text: 'Hello...' },
      'text:excerpt(5, true)': { text: 'Hello...' },
      'text:excerpt(11,true)': { text: 'Hello world' },
      'text:excerpt(100,true)': { text: 'Hello world' },
      'text:excerpt(5,false)': { text: 'Hello' },
    },
  ),
)

check('fields.excerpt-other', (context) =>
  expectExcerpts(
    context,
    { text: 'abcdef', number: 123456, bool: true, selects: ['a', 'b'], geo: { lon: 10.5, lat: 0 } },
    {
      'number:excerpt(2)': { number: 123456 },
      'bool:excerpt(1)': { bool: true },
      'geo:excerpt(1),text:excerpt(3)': { geo: { lon: 10.5, lat: 0 }, text: 'abc' },
    },
  ),
)

check('fields.malformed', async (context) => {
  const { api, make, table } = context
  const everything = table('everything')
  const found = await sample(context, { a: { text: 'abcdef' } })
  const malformed = [
    'text:nope(1)',
    'text:excerpt',
    'text:excerpt()',
    'text:excerpt(0)',
    'text:excerpt(-1)',
    'text:excerpt(x)',
    'text:excerpt(3',
  ]
  expectEqual(
    objectBody(await api.view(everything, sampleId(found, 'a'), { fields: 'text:excerpt(3)' })),
    { text: 'abc' },
    'the record with a valid modifier',
  )
  for (const fields of malformed)
    expectRejection(
      await api.list(everything, { filter: found.whole, fields }),
      `a list with fields=${fields}`,
    )
  const [fields = ''] = malformed
  expectRejection(
    await api.view(everything, sampleId(found, 'a'), { fields }),
    `a view with fields=${fields}`,
  )
  if (context.hasTable('members')) {
    const me = await signedIn(context)
    expectRejection(await api.authMethods(me.table, { fields }), `auth-methods with fields=${fields}`)
    expectRejection(await me.api.authRefresh(me.table, { fields }), `a refresh with fields=${fields}`)
  }
  for (const each of malformed.slice(0, 3)) {
    const text = context.unique('text')
    const response = await api.create(everything, { text }, { fields: each })
    const { items } = listOf(await api.list(everything, { filter: `text = "${text}"` }))
    expectRejection(response, `a create with fields=${each}`)
    expectEqual(items.length, 0, `the number of records written with fields=${each}`)
  }
  await make(everything, { text: context.unique('text') }, { fields: 'id,text:excerpt(3)' })
})
