import { describe, expect, it } from 'vitest'
import { visibleLine } from '../../exchange/visible.ts'
import { createReference } from '../reference.ts'

const options = {
  superusers: [{ email: 'root@example.com', password: 'root-secret' }],
  prefix: '/api',
  seed: 1,
  passwordCost: 4,
  tables: [
    { name: 'members', type: 'auth', viewRule: '', authRule: 'verified = true', fields: [] },
    { id: 'tags00000000001', name: 'tags', fields: [{ name: 'label', type: 'text' }] },
    {
      name: 'posts',
      listRule: '',
      viewRule: 'author = @request.auth.id && (status = "open" || status:length > 3)',
      createRule: '@request.auth.id != "" && @request.body.status != "closed"',
      updateRule: 'tags.label ?= "free" && @request.body.password:isset = false',
      deleteRule: null,
      fields: [
        { name: 'title', type: 'text', required: true },
        { name: 'status', type: 'select', values: ['open', 'closed'], maxSelect: 2 },
        { name: 'author', type: 'text' },
        { name: 'slug', type: 'text' },
        { name: 'tags', type: 'relation', collectionId: 'tags00000000001', maxSelect: 9 },
      ],
      indexes: ['CREATE UNIQUE INDEX by_slug ON posts (slug) WHERE slug != ""'],
    },
  ],
  records: {
    members: [{ id: 'member000000001', email: 'ann@example.com', password: 'secret1234' }],
    tags: [
      { id: 'tag000000000001', label: 'paid' },
      { id: 'tag000000000002', label: 'old' },
    ],
    posts: [
      {
        id: 'post00000000001',
        title: 'one',
        status: ['closed'],
        author: 'ann',
        slug: 'one',
        tags: ['tag000000000001', 'tag000000000002'],
      },
    ],
  },
  apiKeys: [{ name: 'reader', tables: ['posts'], actions: ['list'] }],
} as const

type Init = { method?: string; body?: unknown; authorization?: string }

/** The reason of one request, and what its response says. */
async function rejected(path: string, { method = 'GET', body, authorization }: Init = {}) {
  const reference = createReference(options)
  const token = authorization ?? ''
  const response = await reference.fetch(path, {
    method,
    headers: { 'content-type': 'application/json', ...(token && { authorization: token }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const said = await response.text()
  return { status: response.status, said, reason: reference.requests.last()?.reason }
}

const posts = '/api/collections/posts/records'
const post = `${posts}/post00000000001`

describe('the log says why a request was rejected', () => {
  it('by a rule, with every comparison of it', async () => {
    const { status, said, reason } = await rejected(posts, { method: 'POST', body: { title: 'x' } })
    expect([status, reason]).toEqual([
      400,
      [
        'createRule of "posts" is false for a guest: @request.auth.id != "" && @request.body.status != "closed"',
        '  false: @request.auth.id != "" (@request.auth.id is missing)',
        '  true: @request.body.status != "closed" (@request.body.status is missing)',
      ],
    ])
    expect(said).not.toContain('Rule')
  })

  it('by the values of the record and of related records', async () => {
    expect((await rejected(post)).reason).toEqual([
      'viewRule of "posts" is false for a guest: author = @request.auth.id && (status = "open" || status:length > 3)',
      '  false: author = @request.auth.id (author is "ann", @request.auth.id is missing)',
      '  false: status = "open" (status is "[\\"closed\\"]")',
      '  false: status:length > 3 (status:length is 1)',
    ])
    const { reason } = await rejected(post, { method: 'PATCH', body: { password: 'secret' } })
    expect(reason?.slice(1)).toEqual([
      '  false: tags.label ?= "free" (tags.label is "paid" and "old")',
      '  false: @request.body.password:isset = false (@request.body.password:isset is not shown)',
    ])
  })

  it('by a rule that is closed, and by the scope of a key', async () => {
    expect((await rejected(post, { method: 'DELETE' })).reason).toEqual([
      'deleteRule of "posts" is null: only superusers pass. The caller is a guest.',
    ])
    const reference = createReference(options)
    const authorization = `Bearer ${reference.apiKeys.initial[0]?.key}`
    await reference.fetch(post, { headers: { authorization } })
    expect(reference.requests.last()?.reason).toEqual([
      'The scope of the API key "reader" lacks view on "posts". It has list on posts.',
    ])
  })

  it('by a token that does not count', async () => {
    const reference = createReference(options)
    const expired = await reference.tokenFor('members', 'member000000001', { duration: -60 })
    await reference.fetch(post, { method: 'DELETE', headers: { authorization: expired } })
    expect(reference.requests.last()?.reason?.[0]).toMatch(
      /The caller is a guest, since the token expired at 20.*Z\.$/,
    )
    const { reason } = await rejected(post, { method: 'DELETE', authorization: 'Bearer nonsense' })
    expect(reason?.[0]).toContain('the Authorization header holds no token of this server')
  })

  it.each([
    [
      '/api/collections/postz/records',
      'There is no table "postz". Did you mean "posts"? Available: members, posts, tags.',
    ],
    [`${posts}/absent`, 'Table "posts" has no record "absent".'],
    ['/api2/collections', '/api2/collections is not part of the interface: its paths begin with /api/.'],
  ])('by what it asks for: GET %s', async (path, reason) => {
    expect((await rejected(path)).reason).toEqual([reason])
  })

  it.each([
    ['filter', 'titel="x"', 'Filter: unknown name "titel". Did you mean "title"?'],
    ['filter', 'title="x" && slug == 5', 'Filter, character 19: "==" is not an operator. Use "=".'],
    ['filter', 'title & slug', 'Filter, character 7: nothing starts with "&". Use "&&".'],
    [
      'filter',
      'title="x" and slug="y"',
      'Filter, character 11: expected "&&", "||" or the end, found "and". Use "&&".',
    ],
    ['filter', 'title like "x"', 'Filter, character 7: expected an operator, found "like". Use "~".'],
    ['filter', '(title="x"', 'Filter: expected ")", found the end.'],
    ['filter', 'title=toy', 'Filter: unknown name "toy". A string needs quotes: "toy".'],
    [
      'filter',
      'title=statu',
      'Filter: unknown name "statu". Did you mean "status"? A string needs quotes: "statu".',
    ],
    ['sort', '-titel', 'Sort: unknown name "titel". Did you mean "title"?'],
    ['sort', '-', 'Sort: "" is not a field.'],
  ])('by the %s that it asks for: %s', async (name, text, reason) => {
    const { said, reason: lines } = await rejected(`${posts}?${name}=${encodeURIComponent(text)}`)
    expect(lines).toEqual([reason, `  ${name}: ${text}`])
    expect(said).not.toContain('titel')
  })

  it('by a filter whose text is long or names a secret, without it', async () => {
    const { reason } = await rejected(`${posts}?filter=titel="${'x'.repeat(300)}"`)
    expect(reason?.[1]).toMatch(/^ {2}filter: titel="x{193}…$/)
    expect((await rejected(`${posts}?filter=password="secret1234"`)).reason?.[1]).toBe('  filter: not shown')
  })

  it('by a file that is too large', async () => {
    const reference = createReference({
      tables: [{ name: 'files', createRule: '', fields: [{ name: 'file', type: 'file', maxSize: 3 }] }],
    })
    const body = new FormData()
    body.set('file', new File(['12345'], 'five.txt'))
    await reference.fetch('/api/v1/collections/files/records', { method: 'POST', body })
    expect(reference.requests.last()?.reason).toEqual([
      expect.stringMatching(
        /^Field "file" of "files": .* Received the file "five\.txt" \(5 bytes, text\/plain/,
      ),
    ])
  })

  it('by its fields, with what was received and the names that were probably meant', async () => {
    const reference = createReference(options)
    const admin = await reference.as('superuser')
    const create = (body: object) =>
      admin.fetch(posts, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    await create({ titel: 'x', slug: 'two' })
    expect(reference.requests.last()?.reason).toEqual([
      'Field "title" of "posts": Cannot be blank. (validation_required) The body does not have it.',
      'The body has "titel", which is not a field. Did you mean "title"?',
    ])
    await create({ title: 'x', slug: 'one' })
    expect(reference.requests.last()?.reason).toEqual([
      'Another record of "posts" has the same values of the unique index "by_slug" (slug).',
    ])
  })

  it('in an entry of a batch', async () => {
    const { reason } = await rejected('/api/batch', {
      method: 'POST',
      body: { requests: [{ method: 'POST', url: posts, body: { title: 'x' } }] },
    })
    expect(reason?.slice(0, 2)).toEqual([
      'Entry 0 of the batch was rejected.',
      expect.stringContaining('createRule of "posts" is false for a guest'),
    ])
  })

  it.each([
    [
      'bob@example.com',
      'secret1234',
      ['No record of "members" has the identity "bob@example.com" in email.'],
    ],
    ['ann@example.com', 'wrong', ['The password does not match that of members/member000000001.']],
    [
      'ann@example.com',
      'secret1234',
      [
        'authRule of "members" is false for a guest: verified = true',
        '  false: verified = true (verified is false)',
      ],
    ],
  ])('by a sign-in: %s with %s', async (identity, password, reason) => {
    const path = '/api/collections/members/auth-with-password'
    const found = await rejected(path, { method: 'POST', body: { identity, password } })
    expect(found.reason).toEqual(reason)
  })

  it('and says nothing where the response says it all, or nothing was rejected', async () => {
    expect((await rejected(posts)).reason).toBeUndefined()
    expect((await rejected(`${posts}?filter=@request.auth.id=1`)).reason).toBeUndefined()
  })

  it('as it was at the time of the request', async () => {
    const reference = createReference(options)
    await reference.fetch(post)
    await reference.records.update('posts', 'post00000000001', { author: 'bob' })
    expect(reference.requests.last()?.reason?.[1]).toContain('author is "ann"')
  })

  it('in what assertions on the log report', async () => {
    const reference = createReference(options)
    await reference.fetch('/api/collections/postz/records')
    expect(() => reference.requests.assert('createRecord')).toThrow(
      'GET /collections/postz/records 404\n    There is no table "postz". Did you mean "posts"?',
    )
  })

  it('in one line each, whatever the request contains: no text steers a terminal or looks like a line of its own', async () => {
    const hostile = 'x\u001b[2J\u009b31m\u202e\u0000\tz\r\n2026-11-27T00:00:00.000Z  GET /made-up  200'
    const inPath = encodeURIComponent(hostile)
    const claims = Buffer.from(JSON.stringify({ id: hostile, type: hostile, collectionId: hostile }))
    const hostileToken = `eyJhbGciOiJIUzI1NiJ9.${claims.toString('base64url')}.x`
    const write = { method: 'POST', body: { [hostile]: hostile, status: hostile, tags: [hostile] } }
    const requests: [path: string, init?: Init][] = [
      [`/api/${inPath}`],
      [`/api/collections/${inPath}/records`],
      [`${posts}/${inPath}`],
      ...['filter', 'sort', 'expand', 'fields', 'page', hostile].map((name): [string] => [
        `${posts}?${encodeURIComponent(name)}=${inPath}`,
      ]),
      [post, { authorization: hostileToken }],
      [posts, write],
      [post, { method: 'PATCH', body: write.body }],
      ['/api/batch', { method: 'POST', body: write.body }],
      ...[
        { method: hostile, url: posts },
        { method: 'POST', url: `${posts}/${hostile}` },
        { method: 'POST', url: posts, body: write.body },
        { method: 'PATCH', url: `/api/collections/${hostile}/records/${hostile}`, body: {} },
      ].map((entry): [string, Init] => ['/api/batch', { method: 'POST', body: { requests: [entry] } }]),
      ...['auth-with-password', 'auth-with-otp', 'auth-with-oauth2', 'confirm-password-reset'].map(
        (action): [string, Init] => [
          `/api/collections/members/${action}`,
          {
            method: 'POST',
            body: {
              identity: hostile,
              identityField: hostile,
              password: hostile,
              otpId: hostile,
              provider: hostile,
              token: hostileToken,
            },
          },
        ],
      ),
      ['/api/realtime', { method: 'POST', body: { clientId: hostile, subscriptions: [hostile] } }],
      [`/api/files/${inPath}/${inPath}/${inPath}?token=${hostileToken}`],
    ]
    for (const [path, init] of requests) {
      const { reason = [] } = await rejected(path, init)
      for (const line of reason) expect(visibleLine(line), path).toBe(line)
    }
  })
})
