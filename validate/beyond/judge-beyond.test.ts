/**
 * What goes beyond the schema: every check is shown a response that breaks it. create-validator.test.ts has those that keep it.
 */

import { describe, expect, it } from 'vitest'
import type { PlainExchange } from '../../exchange/plain-exchange.ts'
import { broken, list, one } from '../../test/validate/broken.ts'
import { note, page, plainExchange, rejected } from '../../test/validate/exchanges.ts'
import { createValidator } from '../create-validator.ts'

const account = { email: 'a@example.com', emailVisibility: true, verified: true }

describe('beyond the schema', () => {
  it.each<[string, PlainExchange, string]>([
    [
      'more items than perPage',
      plainExchange(page({ perPage: 2, totalPages: 2 }), { url: `${list}?perPage=2` }),
      'list.at-most-per-page $.items',
    ],
    ['wrong totalPages', plainExchange(page({ totalItems: 31 })), 'list.total-pages $.totalPages'],
    [
      'fewer in total than on the page',
      plainExchange(page({ totalItems: 2 })),
      'list.total-items $.totalItems',
    ],
    [
      'an empty page before the last one',
      plainExchange(page({ perPage: 10, totalItems: 25, totalPages: 3, items: [] }), {
        url: `${list}?perPage=10`,
      }),
      'list.full-pages $.items',
    ],
    [
      'an empty page that is the only one',
      plainExchange(page({ totalItems: 25, items: [] })),
      'list.full-pages $.items',
    ],
    [
      'a last page with fewer records than the rest',
      plainExchange(page({ page: 2, totalItems: 35, totalPages: 2 }), { url: `${list}?page=2` }),
      'list.full-pages $.items',
    ],
    [
      'a record twice on a page',
      plainExchange(page({ items: [note(), note(1), note()] })),
      'list.pagination-covers $.items[2].id',
    ],
    [
      'ids that are cut off',
      plainExchange(page({ items: [{ id: 'n' }, { id: 'n' }] }, 2), { url: `${list}?fields=id:excerpt(1)` }),
      'none',
    ],
    ['a page beyond the end', plainExchange(page({ page: 2, items: [] }), { url: `${list}?page=2` }), 'none'],
    [
      'totals that were not wanted',
      plainExchange(page(), { url: `${list}?skipTotal=true` }),
      'list.skip-total $.totalItems',
    ],
    [
      'pages that were not wanted',
      plainExchange(page({ totalItems: -1 }), { url: `${list}?skipTotal=TRUE` }),
      'list.skip-total $.totalPages',
    ],
    [
      'no totals, where a server may have read it as true',
      plainExchange(page({ totalItems: -1, totalPages: -1 }), { url: `${list}?skipTotal=yes` }),
      'none',
    ],
    ['a page below the first', plainExchange(page(), { url: `${list}?page=0` }), 'none'],
    ['two page numbers', plainExchange(page(), { url: `${list}?page=2&page=1` }), 'none'],
    [
      'a size in digits that may mean another one',
      plainExchange(page(), { url: `${list}?perPage=020` }),
      'none',
    ],
    [
      'a size below 1',
      plainExchange(page({ perPage: 50 }), { url: `${list}?perPage=0` }),
      'list.default-per-page $.perPage',
    ],
    [
      'another page than asked',
      plainExchange(page({ page: 2 }), { url: `${list}?page=1` }),
      'list.page $.page',
    ],
    [
      'the first page instead of the one that was requested',
      plainExchange(page({ perPage: 3, totalItems: 9, totalPages: 3 }), { url: `${list}?page=2&perPage=3` }),
      'list.page $.page',
    ],
    [
      'another page than asked, beyond the last one',
      plainExchange(page(), { url: `${list}?page=2&perPage=30` }),
      'list.page-past-end $.page',
    ],
    ['another page than the first', plainExchange(page({ page: 2 })), 'list.default-page $.page'],
    [
      'another size than asked',
      plainExchange(page(), { url: `${list}?perPage=20` }),
      'list.per-page-cap $.perPage',
    ],
    ['another size than by default', plainExchange(page({ perPage: 50 })), 'list.default-per-page $.perPage'],
    [
      'a size over the cap',
      plainExchange(page({ perPage: 5000 }), { url: `${list}?perPage=5000` }),
      'list.per-page-cap $.perPage',
    ],
    [
      'a record of another table',
      plainExchange(note(), { url: one.replace('notes', 'others') }),
      'record.collection-name $.collectionName',
    ],
    [
      'records of two tables',
      plainExchange(page({ items: [note(), note(1, { collectionId: 'x' })] }, 2)),
      'record.collection-id $.items[1].collectionId',
    ],
    ['another record than asked', plainExchange(note(1), { url: one }), 'view.record $.id'],
    [
      'another record than asked, where another value is short',
      plainExchange(note(1), { url: `${one}?fields=*,title:excerpt(5)` }),
      'view.record $.id',
    ],
    [
      'updated before created',
      plainExchange(note(0, { created: '2024-01-03 00:00:00.000Z' }), { url: one }),
      'record.updated-after-created $.updated',
    ],
    [
      'the same in a list',
      plainExchange(page({ items: [note(), note(1, { created: '2025-01-03 00:00:00.000Z' })] }, 2)),
      'record.updated-after-created $.items[1].updated',
    ],
    [
      'the same in a created record',
      plainExchange(note(0, { created: '2025-01-03 00:00:00.000Z' }), { method: 'POST', url: list }),
      'wire.schema $.updated',
    ],
    [
      'the same in the record of a session',
      plainExchange(
        {
          token: 't',
          record: note(0, { ...account, created: '2025-01-03 00:00:00.000Z' }),
        },
        { method: 'POST', url: '/api/v1/collections/notes/auth-with-password' },
      ),
      'record.updated-after-created $.record.updated',
    ],
    [
      'the same below an expanded record',
      plainExchange(
        note(0, {
          expand: { a: note(1, { expand: { b: note(2, { created: '2025-01-03 00:00:00.000Z' }) } }) },
        }),
        { url: one },
      ),
      'wire.schema $.expand.a.expand.b.updated',
    ],
    [
      'the same in an expanded record',
      plainExchange(
        note(0, { expand: { parents: [note(), note(1, { created: '2025-01-03 00:00:00.000Z' })] } }),
        {
          url: one,
        },
      ),
      'wire.schema $.expand.parents[1].updated',
    ],
    [
      'fewer records in all than the pages up to here hold',
      plainExchange(page({ page: 3, perPage: 3, totalItems: 3 }), { url: `${list}?page=3&perPage=3` }),
      'list.total-items $.totalItems',
    ],
    [
      '`updated` one second before `created`',
      plainExchange(note(0, { created: '2024-01-02 00:00:01.000Z', updated: '2024-01-02 00:00:00.000Z' }), {
        url: one,
      }),
      'none',
    ],
    [
      '`updated` more than one second before `created`',
      plainExchange(note(0, { created: '2024-01-02 00:00:01.001Z', updated: '2024-01-02 00:00:00.000Z' }), {
        url: one,
      }),
      'record.updated-after-created $.updated',
    ],
    [
      'the same where both are cut off',
      plainExchange(note(0, { created: '2024-01-02 00:00:01.001Z', updated: '2024-01-02 00:00:00.000Z' }), {
        url: `${one}?fields=*,updated:excerpt(40)`,
      }),
      'none',
    ],
    [
      'a record of another table by a name that is cut off',
      plainExchange(note(0, { collectionName: 'other' }), {
        url: `${one}?fields=*,collectionName:excerpt(5)`,
      }),
      'none',
    ],
    [
      'a record by an identifier that is cut off',
      plainExchange(note(0, { collectionId: 'not' }), {
        url: `${one.replace('notes', 'notes_id')}?fields=*,collectionId:excerpt(3)`,
      }),
      'none',
    ],
    [
      'a page number beyond what can be counted',
      plainExchange(page({ page: 2 ** 63, perPage: 3, totalItems: 3 }), {
        url: `${list}?page=9223372036854775807&perPage=3`,
      }),
      'none',
    ],
    [
      'a filter on a password, which no record shows',
      plainExchange(page({ items: [note(0, { password: '' })] }, 1), { url: `${list}?filter=password!=''` }),
      'none',
    ],
    ['picked keys with a control character', plainExchange(note(), { url: `${one}?fields=%00` }), 'none'],
    [
      'a list out of order',
      plainExchange(page(), { url: `${list}?sort=-rank` }),
      'sort.order $.items[1].rank',
    ],
    [
      'out of order by the second key',
      plainExchange(page(), { url: `${list}?sort=collectionName,-title` }),
      'sort.order $.items[1].title',
    ],
    [
      'records in order by the key after one that cannot be compared',
      plainExchange(page(), { url: `${list}?sort=parent.name,-rank` }),
      'none',
    ],
    [
      'excerpts out of order',
      plainExchange(page({ items: ['a b', 'a a'].map((title) => ({ title })) }, 2), {
        url: `${list}?sort=title&fields=title:excerpt(3)`,
      }),
      'none',
    ],
    [
      'an item that is no record, in a sorted list',
      plainExchange(page({ items: [null, note()] }, 2), { url: `${list}?sort=rank` }),
      'list.items $.items[0]',
    ],
    [
      'truth values out of order',
      plainExchange(page(), { url: `${list}?sort=done` }),
      'sort.order $.items[2].done',
    ],
    [
      'a record outside of the filter',
      plainExchange(page(), { url: `${list}?filter=rank<2` }),
      'filter.meaning $.items[2].rank',
    ],
    [
      'a text outside of the filter',
      plainExchange(page(), { url: `${list}?filter=${encodeURIComponent("title ~ '02'")}` }),
      'filter.meaning $.items[0].title',
    ],
    ...[
      ['rank >= 0 && rank <= 2', 'none'],
      ['rank > 0', 'filter.meaning $.items[0].rank'],
      ['rank != 1', 'filter.meaning $.items[1].rank'],
      ['done = true', 'filter.meaning $.items[0].done'],
      ['done = false', 'filter.meaning $.items[1].done'],
      ["title = 'it\\'s'", 'none'],
      ["title ~ 'Ä'", 'filter.meaning $.items[0].title'],
    ].map(([filter = '', expected = '']): [string, PlainExchange, string] => [
      `the filter ${filter}`,
      plainExchange(
        page(
          filter.startsWith('title')
            ? { totalItems: 1, items: [note(0, { title: filter.includes('Ä') ? 'ä' : "it's" })] }
            : {},
        ),
        { url: `${list}?filter=${encodeURIComponent(filter)}` },
      ),
      expected,
    ]),
    [
      'an excerpt outside of the filter',
      plainExchange(page({ items: [{ title: 'ti' }] }, 1), {
        url: `${list}?filter=${encodeURIComponent("title = 'title 00'")}&fields=title:excerpt(2)`,
      }),
      'none',
    ],
    [
      'a key that was not picked',
      plainExchange(page({ items: [note()] }, 1), { url: `${list}?fields=id,title` }),
      'fields.picks $.items[0].collectionId',
    ],
    [
      'a nested key that was not picked',
      plainExchange(note(0, { expand: { a: { id: 'x', title: 'y' } } }), {
        url: `${one}?fields=*,expand.a.id`,
      }),
      'none',
    ],
    [
      'a nested key below one that was picked as a whole',
      plainExchange(
        { id: 'note00000000000', expand: { a: note() } },
        { url: `${one}?fields=id,expand,expand.a.id` },
      ),
      'none',
    ],
    [
      'a nested key next to those picked',
      plainExchange(
        { id: 'note00000000000', expand: { a: { id: 'x', title: 'y' } } },
        { url: `${one}?fields=id,expand.a.id` },
      ),
      'fields.picks $.expand.a.title',
    ],
    [
      'a token key',
      plainExchange(note(0, { nested: { tokenKey: 'abc' } }), { url: one }),
      'wire.no-secrets $.nested.tokenKey',
    ],
    [
      'a hash',
      plainExchange(note(0, { title: '$2a$10$abcdefghijklmnopqrstuv' }), { url: one }),
      'wire.no-secrets $.title',
    ],
    [
      'a hash in a list',
      plainExchange(note(0, { tags: [null, 'a', '$2a$10$abcdefghijklmnopqrstuv'] }), { url: one }),
      'wire.no-secrets $.tags[2]',
    ],
    [
      'a hash of Django',
      plainExchange(note(0, { title: 'pbkdf2_sha256$260000$abcdefgh$ijklmnopqrstuv=' }), { url: one }),
      'wire.no-secrets $.title',
    ],
    [
      'a hash in the message of a rejection',
      plainExchange(
        { ...rejected, message: `hash $2a$10$${'abc./0123'.repeat(6).slice(0, 53)} mismatch` },
        { status: 400 },
      ),
      'wire.no-secrets $',
    ],
    [
      'a hash that was sent, in the message of a rejection',
      plainExchange(
        { ...rejected, message: `no: $2a$10$${'abc./0123'.repeat(6).slice(0, 53)}` },
        { status: 400, method: 'POST', sent: { title: `$2a$10$${'abc./0123'.repeat(6).slice(0, 53)}` } },
      ),
      'none',
    ],
    [
      'a hash in the sentence of a note',
      plainExchange(note(0, { title: `like $2a$10$${'abc./0123'.repeat(6).slice(0, 53)}` }), { url: one }),
      'none',
    ],
    [
      'a hash under its name',
      plainExchange(note(0, { passwordHash: 'abc' }), { url: one }),
      'wire.no-secrets $.passwordHash',
    ],
    [
      'a project key',
      plainExchange(
        { ...rejected, message: 'rak_abc_0123456789012345678901234567890123456789' },
        { status: 400 },
      ),
      'wire.no-secrets $.message',
    ],
    [
      'the password that was sent',
      plainExchange(
        { token: 't', record: note(0, account), sent: 'hunter2hunter2' },
        {
          method: 'POST',
          url: '/api/v1/collections/users/auth-with-password',
          sent: { identity: 'a', password: 'hunter2hunter2' },
        },
      ),
      'wire.no-secrets $.sent',
    ],
    [
      'the password that was sent under an escaped name',
      plainExchange(
        { token: 't', record: note(0, account), sent: 'hunter2hunter2' },
        {
          method: 'POST',
          url: '/api/v1/collections/users/auth-with-password',
          sent: '{"identity":"a","p\\u0061ssword":"hunter2hunter2"}',
        },
      ),
      'wire.no-secrets $.sent',
    ],
    [
      'a token key in a body that is not JSON',
      plainExchange('{"tokenKey": "abc"', { url: one, status: 200 }),
      'wire.no-secrets $',
    ],
    [
      'the old password of an update',
      plainExchange(note(0, { pin: 'hunter2hunter2' }), {
        method: 'PATCH',
        url: one,
        sent: { oldPassword: 'hunter2hunter2' },
      }),
      'password.never-shown $.pin',
    ],
    [
      'the password of a sign-up',
      plainExchange(note(0, { secret: 'hunter2hunter2' }), {
        method: 'POST',
        url: list,
        sent: { password: 'hunter2hunter2', passwordConfirm: 'hunter2hunter2' },
      }),
      'wire.no-secrets $.secret',
    ],
    [
      'the password of an ordinary word, as a whole value',
      plainExchange(note(0, { title: 'password' }), {
        method: 'POST',
        url: list,
        sent: { password: 'password', passwordConfirm: 'password' },
      }),
      'wire.no-secrets $.title',
    ],
    [
      'the value of a password field',
      plainExchange(note(0, { pin: 'hunter2hunter2' }), {
        method: 'PATCH',
        url: one,
        sent: { password: 'hunter2hunter2' },
      }),
      'password.never-shown $.pin',
    ],
    [
      'a page where nothing was found',
      plainExchange(page({ totalItems: 0, totalPages: 1, items: [] })),
      'list.no-match $.totalPages',
    ],
    [
      'another record than the one that was updated',
      plainExchange(note(1), { method: 'PATCH', url: one, sent: { title: 'a' } }),
      'update.status $.id',
    ],
  ])('%s is found', (_name, each, expected) => {
    if (expected === 'none') expect(broken(each)).toEqual([])
    else expect(broken(each)).toContain(expected)
  })

  const signIn = { method: 'POST', url: '/api/v1/collections/users/auth-with-password' }
  it.each<[string, PlainExchange]>([
    [
      'a rejection that repeats what was sent',
      plainExchange(
        { ...rejected, message: 'no: hunter2hunter2' },
        { ...signIn, status: 400, sent: { password: 'hunter2hunter2' } },
      ),
    ],
    [
      'a message with an ordinary word that was the password',
      plainExchange(
        { ...rejected, message: 'wrong password.' },
        { ...signIn, status: 400, sent: { password: 'password' } },
      ),
    ],
    ...['[redacted]', '$PASSWORD', '********', '<REDACTED>'].map((shown): [string, PlainExchange] => [
      `the password and token that a recorder replaced by ${shown}`,
      plainExchange(
        { token: shown, record: note(0, { email: 'a@example.com', verified: true, emailVisibility: true }) },
        { ...signIn, url: signIn.url.replace('users', 'notes'), sent: { identity: 'a', password: shown } },
      ),
    ]),
    [
      'an id with the digits of the password in it',
      plainExchange(note(0, { title: 'a12345678b' }), {
        method: 'PATCH',
        url: one,
        sent: { password: '12345678' },
      }),
    ],
    ['a text about hashes', plainExchange(note(0, { title: 'rounds: $2a$10$' }), { url: one })],
    [
      'a short text that was the password',
      plainExchange(note(0, { title: '1234567' }), {
        method: 'PATCH',
        url: one,
        sent: { password: '1234567' },
      }),
    ],
    [
      'what was sent as another value, too',
      plainExchange(note(0, { title: 'hunter2hunter2' }), {
        method: 'PATCH',
        url: one,
        sent: { password: 'hunter2hunter2', data: ['hunter2hunter2'] },
      }),
    ],
    [
      'the token that was sent, under a name of its own',
      plainExchange(note(0, { session: 'secret-token-1' }), {
        url: one,
        headers: { Authorization: 'secret-token-1' },
      }),
    ],
  ])('does not take %s for a secret', (_name, each) => {
    expect(broken(each)).toEqual([])
  })

  it.each<[string, PlainExchange]>([
    [
      'a list without a match with one page',
      plainExchange(page({ totalItems: 0, totalPages: 1, items: [] })),
    ],
    [
      'the last page for one beyond it, counted from 0',
      plainExchange(page({ page: 0 }), { url: `${list}?page=1` }),
    ],
    [
      'pages of which the first has a high number',
      plainExchange(page({ page: 3, perPage: 3, totalItems: 3 }), { url: `${list}?page=3&perPage=3` }),
    ],
    [
      'the first page, if queries may ask for pages in another way',
      plainExchange(page({ perPage: 3, totalItems: 9, totalPages: 3 }), { url: `${list}?page=2` }),
    ],
    [
      'the rest on the last page, counted from 0',
      plainExchange(page({ page: 1, perPage: 10, totalItems: 13, totalPages: 2 }), {
        url: `${list}?page=1&perPage=10`,
      }),
    ],
    [
      'no record beyond the last page, counted from 0',
      plainExchange(page({ page: 1, totalItems: 25, items: [] }), { url: `${list}?page=1` }),
    ],
    [
      'the first page as 0, if queries may ask for pages in another way',
      plainExchange(page({ page: 0, perPage: 3, totalItems: 9, totalPages: 3 }), { url: `${list}?page=2` }),
    ],
    [
      'the last page for the number of pages, counted from 0',
      plainExchange(page({ page: 1, perPage: 3, totalItems: 6, totalPages: 2 }), {
        url: `${list}?page=2&perPage=3`,
      }),
    ],
    [
      'the first page for one beyond the last, counted from 0',
      plainExchange(page({ page: 0, perPage: 3, totalItems: 9, totalPages: 3 }), {
        url: `${list}?page=3&perPage=3`,
      }),
    ],
    [
      'a table by an identifier that its records show',
      plainExchange(note(0, { collectionName: 'x' }), { url: one.replace('notes', 'NOTES-ID') }),
    ],
    ['an id in another case', plainExchange(note(0), { url: one.replace('note0', 'NOTE0') })],
    ['an id in a longer one', plainExchange(note(0), { url: one.replace('note0', '0') })],
    ['a record behind an ending', plainExchange(note(0), { url: `${one}.json` })],
    [
      'results of a batch in an order of their own',
      plainExchange(
        [
          { status: 204, body: null },
          { status: 200, body: note(0) },
        ],
        {
          method: 'POST',
          url: '/api/v1/batch',
          sent: {
            requests: [
              { method: 'PATCH', url: one, body: { title: 'x' } },
              { method: 'DELETE', url: one },
            ],
          },
        },
      ),
    ],
    [
      'an update that says what it changed',
      plainExchange(note(7, { created: '2030-01-01 00:00:00.000Z' }), {
        method: 'PATCH',
        url: one,
        sent: { title: 'x' },
      }),
    ],
    [
      'an expansion in a form of its own',
      plainExchange(
        note(0, {
          expand: { a: { created: '2030-01-01 00:00:00.000Z', updated: '2029-01-01 00:00:00.000Z' } },
        }),
        {
          url: one,
        },
      ),
    ],
    [
      'the value that was sent to a password field',
      plainExchange(note(0, { pin: 'hunter2hunter2' }), {
        method: 'PATCH',
        url: one,
        sent: { password: 'hunter2hunter2' },
      }),
    ],
  ])('lets a server that claims nothing show %s', (_name, each) => {
    const { findings } = createValidator({ profile: 'none' }).validate(each)
    expect(findings.filter(({ status }) => status !== 'observed').map(String)).toEqual([])
  })

  it('finds another page than asked in a response of any server', () => {
    const other = plainExchange(page({ page: 3, perPage: 3, totalItems: 9, totalPages: 3 }), {
      url: `${list}?page=2&perPage=3`,
    })
    expect(broken(other, createValidator())).toContain('list.page $.page')
  })

  it.each<[string, PlainExchange, string]>([
    ['another record than asked', plainExchange(note(1), { url: one }), 'view.record $.id'],
    [
      'a record of another table',
      plainExchange(note(), { url: one.replace('notes', 'others') }),
      'record.collection-name $.collectionName',
    ],
  ])('finds %s in a response of any server', (_name, each, expected) => {
    expect(broken(each, createValidator())).toContain(expected)
  })

  it('finds a record in another case only if the profile is claimed', () => {
    const other = plainExchange(note(0), { url: one.replace('note0', 'NOTE0') })
    expect(broken(other)).toEqual(['view.record $.id'])
  })

  it('finds an empty page before the last one in a response of any server', () => {
    const empty = plainExchange(page({ perPage: 10, totalItems: 25, totalPages: 3, items: [] }))
    expect(broken(empty, createValidator())).toContain('list.full-pages $.items')
  })

  it.each<[string, string]>([
    ['an alternative', "rank = 9 || title != ''"],
    ['a group', '(rank = 9)'],
    ['a macro', 'created < @now'],
    ['a path', "parent.name = 'x'"],
    ['a modifier', "title:lower = 'x'"],
    ['a field that is not shown', "secret = 'x'"],
    ['another kind of literal', "rank = 'x'"],
    ['a pattern', "title ~ 't%x'"],
  ])('leaves a filter with %s to the suite', (_name, filter) => {
    expect(broken(plainExchange(page(), { url: `${list}?filter=${encodeURIComponent(filter)}` }))).toEqual([])
  })

  it('judges nothing of it if only the schema is requested', () => {
    const schemaOnly = createValidator({ profile: 'standard', checks: 'schema' })
    expect(broken(plainExchange(page({ totalItems: 31 })), schemaOnly)).toEqual([])
    expect(broken(plainExchange(page({ totalItems: '31' })), schemaOnly)).toEqual([
      'list.total-items $.totalItems',
    ])
  })
})

it.each([-1, 0])('accuses no server that reports the page size %d, for all records', (perPage) => {
  const exchange = plainExchange(page({ perPage, totalPages: 1 }), { url: `${list}?perPage=${perPage}` })
  expect(createValidator({ profile: 'none' }).validate(exchange).ok).toBe(true)
})
