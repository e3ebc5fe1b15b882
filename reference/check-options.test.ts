/** Typing mistakes are rejected where they are written, with the nearest name. */

import { describe, expect, it, test } from 'vitest'
import { createReference, type FaultOptions, type ReferenceOptions } from './reference.ts'

const tables = [{ name: 'posts', fields: [{ name: 'title', type: 'text' as const }] }]

describe('a reference is not made', () => {
  it.each<[string, object, RegExp]>([
    ['an option', { tabels: [] }, /no option "tabels"\. Did you mean "tables"\? Available: tables, records/],
    ['an option of mail', { mail: { smpt: {} } }, /no option "mail\.smpt"\. Did you mean "smtp"\?/],
    ['a sender', { mail: { sender: { appUrl: '' } } }, /"mail\.sender\.appUrl"\. Did you mean "appURL"\?/],
    [
      'an option of batch',
      { batch: { maxRequest: 1 } },
      /"batch\.maxRequest"\. Did you mean "maxRequests"\?/,
    ],
    ['rate limits', { rateLimits: { rule: [] } }, /"rateLimits\.rule"\. Did you mean "rules"\?/],
    ['a throttle', { throttle: { otpAttempt: 1 } }, /"throttle\.otpAttempt"\. Did you mean "otpAttempts"\?/],
    ['OAuth 2.0', { oauth2: { pretended: [] } }, /"oauth2\.pretended"\. Did you mean "pretend"\?/],
    ['a seed', { seed: 'seven' }, /"seed" must be a whole number; found "seven"/],
    [
      'a number that is none',
      { batch: { maxRequests: Number.NaN } },
      /"batch\.maxRequests" must be finite; found NaN/,
    ],
    ['a maker of ids', { ids: 'count' }, /"ids" is "count": expected 'counting'/],
    ['a cost', { passwordCost: 21 }, /"passwordCost" is 21: expected a whole number from 1 to 20/],
    ['a number of requests', { keepRequests: -1 }, /"keepRequests"/],
    ['a clock', { clock: 'soon' }, /clock cannot be set to soon/],
    [
      'a table of records',
      { records: { post: [{}] } },
      /"post".*not among the tables\. Did you mean "posts"\?/,
    ],
    [
      'a field of a record',
      { records: { posts: [{ title: 'a' }, { titel: 'b' }] } },
      /posts\[1\] cannot be kept: table "posts" has no field "titel"\. Did you mean "title"\?/,
    ],
    [
      'a table of a key',
      { apiKeys: [{ tables: ['post'], actions: ['list'] }] },
      /no table "post"\. Did you mean "posts"\?/,
    ],
    [
      'an action of a key',
      { apiKeys: [{ tables: ['posts'], actions: ['read'] }] },
      /cannot have the action read\. Valid values: list/,
    ],
  ])('for %s that does not exist', (_name, options, message) => {
    expect(() => createReference({ tables, ...options } as ReferenceOptions)).toThrow(message)
  })

  it('for a reference instead of its options', () => {
    expect(() => createReference(createReference({ tables }) as unknown as ReferenceOptions)).toThrow(
      'This argument is a reference, not its options: call fork() on it for a copy.',
    )
  })

  it.each<[string, object]>([
    ['no limit of a batch', { batch: { maxRequests: Number.POSITIVE_INFINITY } }],
    ['no limit of attempts', { throttle: { otpAttempts: Number.POSITIVE_INFINITY } }],
    ['options without values', { batch: undefined, records: { posts: undefined } }],
    ['limits without values', { limits: { steps: undefined } }],
    ['nothing at all', { batch: { maxRequests: 0 }, throttle: { resendSeconds: 0 }, keepRequests: 0 }],
    ['the highest cost', { passwordCost: 20 }],
  ])('but for %s', (_name, given) => {
    expect(() => createReference({ tables, ...given } as ReferenceOptions)).not.toThrow()
  })

  it('but for dates in its records', () => {
    const dated = [{ name: 'days', fields: [{ name: 'day', type: 'date' as const }] }]
    const day = new Date('2030-01-31T12:00:00Z')
    const reference = createReference({ tables: dated, records: { days: [{ day }] } })
    expect(reference.records.count('days')).toBe(1)
    return expect(reference.records.list('days')).resolves.toMatchObject([
      { day: '2030-01-31 12:00:00.000Z' },
    ])
  })

  it('but for a place to send emails to that offers more than its address', () => {
    const sink = { host: '127.0.0.1', port: 1025, count: () => 0 }
    expect(() => createReference({ mail: { smtp: sink } })).not.toThrow()
  })

  it('but for rows as a server returns them', () => {
    const rows = [
      { id: 'post00000000001', collectionId: 'x', collectionName: 'posts', title: 'a', expand: {} },
    ]
    expect(createReference({ tables, records: { posts: rows } }).records.count('posts')).toBe(1)
  })
})

describe('a reference rejects', () => {
  const reference = createReference({ tables })
  it.each<[string, () => unknown, RegExp]>([
    ['an unknown table', () => reference.records.list('post'), /no table "post"\. Did you mean "posts"\?/],
    ['an unknown table to make', () => reference.make('post'), /no table "post"\. Did you mean "posts"\?/],
    [
      'an unknown field to find by',
      () => reference.records.find('posts', { titel: 'x' }),
      /no field "titel"\. Did you mean "title"\?/,
    ],
    ['an unknown field to create', () => reference.records.create('posts', { titel: 'x' }), /"titel"\. Did/],
    [
      'an unknown option of a fault',
      () => reference.fault({ mtach: 'listRecords', status: 500 } as FaultOptions),
      /no option of a fault "mtach"\. Did you mean "match"\?/,
    ],
    [
      'an unknown operation to break',
      () => reference.fault({ match: 'listRecord', status: 500 }),
      /no operation "listRecord"\. Did you mean "listRecords"\?/,
    ],
    [
      'an unknown operation to assert',
      () => reference.requests.assertNone('deleteRecrod'),
      /"deleteRecord"\?/,
    ],
    [
      'an unknown part of a pattern',
      () => reference.requests.count({ tabel: 'posts' } as object),
      /request pattern "tabel"\. Did you mean "table"\?/,
    ],
    [
      'an unknown kind of mail',
      () => reference.mail.waitFor({ kind: 'passwordReset' as 'password-reset' }),
      /"passwordReset" is not a kind of email\. Did you mean "password-reset"\?/,
    ],
    [
      'a time that is a text',
      () => reference.clock.advance('1 hour'),
      /cannot advance by 1 hour: expected milli/,
    ],
  ])('%s', async (_name, work, message) => {
    await expect((async () => work())()).rejects.toThrow(message)
  })
})

test('a member that is undefined means its default', async () => {
  const { fetch } = createReference({
    batch: { enabled: undefined, maxRequests: undefined },
    rateLimits: { rules: undefined, excludedIPs: undefined, enabled: true },
  })
  const requests = Array.from({ length: 51 }, () => ({
    method: 'DELETE',
    url: '/api/v1/collections/a/records/b',
  }))
  const headers = { 'content-type': 'application/json' }
  const response = await fetch('/api/v1/batch', {
    method: 'POST',
    headers,
    body: JSON.stringify({ requests }),
  })
  expect(response.status).toBe(400)
  expect(await response.text()).toContain('requests')
})
