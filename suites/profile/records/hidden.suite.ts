/** Hidden fields, addresses and secrets in responses (standard profile, gap `rules.access`). */

import { check } from '../../../harness/check.ts'
import { expectEqual, expectThat } from '../../../harness/judging/expect.ts'
import { listOf, recordOf } from '../../shared/records/record-of.ts'
import { signedInMember } from './member.ts'

check('hidden.absent', async ({ api, table, make, unique }) => {
  const secret = unique('secret')
  const title = unique('title')
  const { id } = await make(table('hiding'), { title, secret })
  const responses = [
    await api.view(table('hiding'), id),
    await api.list(table('hiding'), { filter: `title = "${title}"` }),
    await api.update(table('hiding'), id, { title }),
    await api.create(table('hiding'), { title, secret: unique('mine') }),
    await api.view(table('hiding'), id, { fields: 'title,secret' }),
  ]
  for (const response of responses) {
    expectThat(
      response.ok && response.text.includes(title),
      'a response does not show the record',
      title,
      response.text,
    )
    expectThat(
      !/"(secret|hiddenRel)"/.test(response.text) && !response.text.includes(secret),
      'a response contains a hidden field',
      'no hidden field',
      response.text,
    )
  }
})

check('hidden.superuser', async ({ api, table, make, unique }) => {
  const secret = unique('secret')
  const { id } = await make(table('hiding'), { secret })
  const record = recordOf(await api.as('superuser').view(table('hiding'), id))
  expectEqual(
    [record.secret, record.hiddenRel],
    [secret, ''],
    'secret and hiddenRel as a superuser sees them',
  )
})

check('hidden.input-dropped', async ({ api, table, unique }) => {
  const root = api.as('superuser')
  const created = recordOf(
    await api.create(table('hiding'), { title: unique('title'), secret: 'by a guest' }),
  )
  expectEqual(
    recordOf(await root.view(table('hiding'), created.id)).secret,
    '',
    'secret after a guest sent one with create',
  )
  const secret = unique('secret')
  recordOf(await root.update(table('hiding'), created.id, { secret }))
  const updated = recordOf(
    await api.update(table('hiding'), created.id, { title: 'changed', secret: 'by a guest' }),
  )
  expectEqual(updated.title, 'changed', 'title sent with a hidden field')
  expectEqual(
    recordOf(await root.view(table('hiding'), created.id)).secret,
    secret,
    'secret after a guest sent one with update',
  )
})

check('email-visibility.hidden', async (context) => {
  const { api, table } = context
  const [me, other] = [await signedInMember(context), await signedInMember(context)]
  const guest = await api.view(table('members'), me.record.id)
  const stranger = await other.api.view(table('members'), me.record.id)
  const list = await other.api.list(table('members'), { filter: `id = "${me.record.id}"` })
  expectEqual(listOf(list).items.length, 1, 'the number of listed records with the id of the account')
  for (const response of [guest, stranger, list]) {
    expectThat(
      response.ok && response.text.includes(me.record.id),
      'a response does not show the record',
      me.record.id,
      response.text,
    )
    expectThat(
      !response.text.includes(me.email) && !response.text.includes('"email":'),
      'a response contains a private address',
      'no address',
      response.text,
    )
  }
})

check('email-visibility.public', async (context) => {
  const { api, table } = context
  const { record, email } = await signedInMember(context, { emailVisibility: true })
  expectEqual(
    recordOf(await api.view(table('members'), record.id)).email,
    email,
    'a public address as a guest sees it',
  )
})

check('email-visibility.owner', async (context) => {
  const me = await signedInMember(context)
  expectEqual(
    recordOf(await me.api.view(context.table('members'), me.record.id)).email,
    me.email,
    '`email` of an account as its owner sees it',
  )
})

check('email-visibility.superuser', async (context) => {
  const { api, table } = context
  const { record, email } = await signedInMember(context)
  expectEqual(
    recordOf(await api.as('superuser').view(table('members'), record.id)).email,
    email,
    'the address as a superuser sees it',
  )
})

check('secrets.never-shown', async (context) => {
  const { api, table } = context
  const me = await signedInMember(context)
  for (const caller of [api, me.api, api.as('superuser')]) {
    const view = recordOf(await caller.view(table('members'), me.record.id))
    const list = listOf(await caller.list(table('members'), { filter: `id = "${me.record.id}"` }))
    expectEqual(list.items.length, 1, 'the number of listed records with the id of the account')
    for (const record of [view, ...list.items]) {
      expectThat(
        !('password' in record) && !('tokenKey' in record),
        'a record contains password or tokenKey',
        'neither key',
        Object.keys(record),
      )
    }
  }
})
