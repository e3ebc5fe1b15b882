import { describe, expect, it } from 'vitest'
import { createReference } from '../reference.ts'

const options = {
  prefix: '/api',
  seed: 1,
  passwordCost: 4,
  tables: [
    {
      name: 'members',
      type: 'auth',
      createRule: '',
      otp: { enabled: true },
      fields: [{ name: 'name', type: 'text' }],
    },
    {
      name: 'toys',
      listRule: 'owner = @request.auth.id',
      viewRule: '',
      createRule: '@request.body.captcha = "" || @request.query.page_ = ""',
      updateRule: '',
      fields: [
        { name: 'price', type: 'number' },
        { name: 'owner', type: 'text' },
        { name: 'photo', type: 'file' },
      ],
    },
    { name: 'open', listRule: '', createRule: '', fields: [{ name: 'title', type: 'text' }] },
  ],
  records: {
    members: [{ id: 'member000000001', email: 'ann@example.com', password: 'secret1234', verified: true }],
    toys: [
      { id: 'toy000000000001', price: 1, owner: 'ann' },
      { id: 'toy000000000002', price: 2, owner: 'bob' },
      { id: 'toy000000000003', price: 3, owner: 'eve' },
    ],
  },
} as const

const toys = '/api/collections/toys/records'

function json(method: string, body: unknown): RequestInit {
  return { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

/** The note of one accepted request. */
async function noteOf(path: string, init: RequestInit = {}, reference = createReference(options)) {
  const response = await reference.fetch(path, init)
  expect(response.status).toBeLessThan(300)
  const { reason } = reference.requests.last() ?? {}
  if (reason !== undefined) expect(await response.text()).not.toContain(reason[0])
  return reason
}

describe('the log says what of an accepted request was probably a mistake', () => {
  const pricee = '"pricee" is not a field of "toys" and was ignored. Did you mean "price"?'

  it('a value that its field does not keep', async () => {
    const lost = '"price" of "toys" takes a number: "12x" was stored as 0.'
    expect(await noteOf(toys, json('POST', { price: '12x', pricee: 5 }))).toEqual([pricee, lost])
    expect(await noteOf(`${toys}/toy000000000001`, json('PATCH', { price: '12x' }))).toEqual([lost])
    expect(await noteOf(toys, json('POST', { price: '12', created: 'x' }))).toBeUndefined()
  })

  it('a key of the body that no field has', async () => {
    expect(await noteOf(toys, json('POST', { pricee: 5 }))).toEqual([pricee])
    expect(await noteOf(`${toys}/toy000000000001`, json('PATCH', { pricee: 5, 'price+': 1 }))).toEqual([
      pricee,
    ])
    const form = new FormData()
    form.set('foto', new File(['x'], 'x.png'))
    expect(await noteOf(toys, { method: 'POST', body: form })).toEqual([
      '"foto" is not a field of "toys" and was ignored. Did you mean "photo"?',
    ])
  })

  it('also in a batch, and in a body whose values are not kept', async () => {
    const requests = [
      { method: 'POST', url: toys, body: { price: 1 } },
      { method: 'POST', url: `${toys}?field=id`, body: { pricee: 1 } },
    ]
    expect(await noteOf('/api/batch', json('POST', { requests }))).toEqual([
      `Entry 1 of the batch: ${pricee}`,
      'Entry 1 of the batch: The query parameter "field" was ignored. Did you mean "fields"?',
    ])
    const owner = 'x'.repeat(20_000)
    const reference = createReference(options)
    const response = await reference.fetch(toys, json('POST', { pricee: owner, price: 1 }))
    expect([response.status, reference.requests.last()?.reason]).toEqual([200, [pricee]])
  })

  it('but not a key that has a meaning', async () => {
    const account = { email: 'bob@example.com', password: 'secret1234', passwordConfirm: 'secret1234' }
    expect(await noteOf('/api/collections/members/records', json('POST', account))).toBeUndefined()
    expect(await noteOf(toys, json('POST', { captcha: '', 'price-': 1 }))).toBeUndefined()
  })

  it('an empty list because of the listRule', async () => {
    expect(await noteOf(toys)).toEqual([
      'listRule of "toys" left out 3 of 3 records, for a guest: owner = @request.auth.id',
      '  false: owner = @request.auth.id (owner is "ann", @request.auth.id is missing)',
    ])
    expect((await noteOf(`${toys}?filter=price=2&skipTotal=1`))?.[0]).toBe(
      'listRule of "toys" left out 1 of 1 record matching the filter, for a guest: owner = @request.auth.id',
    )
  })

  it('of many records it looks at the first ones', async () => {
    const reference = createReference({
      ...options,
      records: { toys: Array.from({ length: 2_001 }, () => ({ owner: 'ann' })) },
    })
    expect((await noteOf(toys, {}, reference))?.[0]).toContain('left out at least 2000 records, for a guest')
  })

  it('but not a list that is empty for another reason', async () => {
    expect(await noteOf(`${toys}?filter=price=9`)).toBeUndefined()
    expect(await noteOf('/api/collections/open/records')).toBeUndefined()
    expect(await noteOf(`${toys}?page=2&skipTotal=1`)).toBeUndefined()
  })

  it('the list is explained with the records of that time', async () => {
    const reference = createReference(options)
    await reference.fetch(toys)
    await reference.records.delete('toys', 'toy000000000001')
    expect(reference.requests.last()?.reason?.[0]).toContain('left out 3 of 3 records')
  })

  it('JSON that was sent as a form', async () => {
    const form = 'application/x-www-form-urlencoded'
    const mistake = `The body looks like JSON, but its Content-Type is ${form}: send application/json.`
    const body = JSON.stringify({ email: 'ann@example.com', price: 1 })
    const init = { method: 'POST', headers: { 'content-type': form }, body }
    expect(await noteOf(toys, init)).toEqual([mistake])
    const reference = createReference(options)
    await reference.fetch('/api/collections/members/auth-with-password', init)
    expect(reference.requests.last()).toMatchObject({ status: 400, reason: [mistake] })
    await reference.fetch('/api/collections/members/records', init)
    expect(reference.requests.last()?.reason?.slice(0, 2)).toEqual([
      mistake,
      'Field "password" of "members": Cannot be blank. (validation_required) The body does not have it.',
    ])
    await reference.fetch(toys, { ...init, body: 'price=1' })
    expect(reference.requests.last()).toMatchObject({ status: 200, reason: undefined })
  })

  it('a query parameter that resembles a known one', async () => {
    const open = '/api/collections/open/records'
    expect(await noteOf(`${open}?perpage=1&name=x&_t=1&filtre=x`)).toEqual([
      'The query parameter "perpage" was ignored. Did you mean "perPage"?',
      'The query parameter "filtre" was ignored. Did you mean "filter"?',
    ])
    expect(await noteOf(`${toys}/toy000000000001?expnd=x&pages=1`)).toEqual([
      'The query parameter "expnd" was ignored. Did you mean "expand"?',
    ])
    expect(await noteOf(`${toys}?page_=1`, json('POST', {}))).toBeUndefined()
  })

  it('a query parameter of another interface', async () => {
    const query = 'limit=5&filter[name]=x&order_by=name&page[size]=3'
    expect(await noteOf(`/api/collections/open/records?${query}`)).toEqual([
      'The query parameter "limit" was ignored. Did you mean "perPage"?',
      'The query parameter "filter[name]" was ignored. Did you mean "filter"?',
      'The query parameter "order_by" was ignored. Did you mean "sort"?',
      'The query parameter "page[size]" was ignored. Did you mean "perPage"?',
    ])
    expect(await noteOf(`${toys}/toy000000000001?limit=1`)).toBeUndefined()
  })

  describe('names in parameters', () => {
    const users = {
      id: 'id_users',
      name: 'users',
      type: 'auth',
      viewRule: null,
      listRule: 'id = "x"',
    } as const
    const fields = [
      { name: 'title', type: 'text' },
      { name: 'author', type: 'relation', collectionId: 'id_users' },
    ] as const
    const notes = createReference({
      prefix: '/api',
      passwordCost: 4,
      tables: [users, { name: 'notes', listRule: '', viewRule: '', createRule: '', fields }],
      records: {
        users: [{ id: 'user00000000001', email: 'ann@example.com', password: 'secret1234' }],
        notes: [{ id: 'note00000000001', title: 'a', author: 'user00000000001' }, { title: 'b' }],
      },
    })
    const path = '/api/collections/notes/records'
    const hidden = 'expand: the viewRule of "users" hid 1 of 1 expanded records.'

    it.each<[string, string[] | undefined]>([
      ['?expand=autor', ['expand: "autor" is not a relation of "notes". Did you mean "author"?']],
      ['?expand=title', ['expand: "title" is not a relation of "notes".']],
      ['?expand=author', [hidden]],
      ['/note00000000001?expand=author.nme', [hidden, 'expand: "nme" is not a relation of "users".']],
      ['?fields=titel', ['fields: no field "titel" in "notes". Did you mean "title"?']],
      ['?fields=title:excerpt(3),*,expand.author.name', []],
      [
        '?filter=author.email="ann@example.com"',
        [
          'The filter matches 1 record of "notes", but the listRule of "users" hides related records from a guest: id = "x"',
        ],
      ],
      ['?filter=title="a.b"', []],
      ['?filter=author.email="bob@example.com"', []],
    ])('%s', async (query, expected) => {
      expect((await noteOf(path + query, {}, notes)) ?? []).toEqual(expected)
    })

    it('of a record that has the keys of a list', async () => {
      const orders = createReference({
        prefix: '/api',
        tables: [
          {
            name: 'orders',
            viewRule: '',
            fields: [
              { name: 'items', type: 'json' },
              { name: 'totalItems', type: 'number' },
            ],
          },
        ],
        records: { orders: [{ id: 'order0000000001', items: [{ qty: 1 }], totalItems: 1 }] },
      })
      expect(
        await noteOf('/api/collections/orders/records/order0000000001?fields=id,qty', {}, orders),
      ).toEqual([expect.stringContaining('fields: no field "qty" in "orders".')])
    })

    it('of a write, and of a superuser', async () => {
      const body = json('POST', { author: 'user00000000001' })
      expect(await noteOf(`${path}?expand=author,x`, body, notes)).toEqual([
        hidden,
        'expand: "x" is not a relation of "notes".',
      ])
    })
  })

  it('that no email was sent', async () => {
    const reference = createReference(options)
    const request = (action: string, email: string) =>
      noteOf(`/api/collections/members/request-${action}`, json('POST', { email }), reference)
    for (const action of ['password-reset', 'otp', 'verification'])
      expect(await request(action, 'bob@example.com')).toEqual([
        'No account of "members" has the address "bob@example.com": no email was sent.',
      ])
    expect(await request('password-reset', 'ann@example.com')).toBeUndefined()
    expect(await request('password-reset', 'ann@example.com')).toEqual([
      'members/member000000001 was sent the last email less than 120 seconds ago: no email was sent.',
    ])
    expect(await request('verification', 'ann@example.com')).toEqual([
      'members/member000000001 is already verified: no email was sent.',
    ])
    expect(await request('otp', 'ann@example.com')).toBeUndefined()
  })

  it('in the message of a failed test', async () => {
    const reference = createReference(options)
    await reference.fetch(toys, json('POST', { pricee: 5 }))
    expect(reference.requests.explain()).toContain(`POST /collections/toys/records 200\n    ${pricee}`)
  })
})
