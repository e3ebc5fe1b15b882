import { beforeEach, describe, expect, it } from 'vitest'
import type { TableDefinition } from '../../spec/table-definition.ts'
import { call, signIn } from '../../test/support/reference-call.ts'
import { createReference, type Reference } from '../reference.ts'
import { servicesOf } from '../services-of.ts'

const open = { listRule: '', viewRule: '', createRule: '', updateRule: '', deleteRule: '' }
const updated = { name: 'updated', type: 'autodate', onCreate: true, onUpdate: true } as const

const tables: TableDefinition[] = [
  {
    id: 'parents_id_0001',
    name: 'parents',
    ...open,
    fields: [{ name: 'title', type: 'text', max: 5 }, { name: 'pass', type: 'password' }, updated],
    indexes: ["CREATE UNIQUE INDEX idx_title ON parents (title) WHERE title != ''"],
  },
  {
    id: 'children_id_001',
    name: 'children',
    ...open,
    fields: [
      { name: 'parent', type: 'relation', collectionId: 'parents_id_0001', required: true },
      { name: 'docs', type: 'file', maxSelect: 2 },
      updated,
    ],
  },
  {
    id: 'contexts_id_001',
    name: 'contexts',
    ...open,
    createRule: '@request.context = "batch" && @request.headers.x_mark = "in"',
    updateRule: '@request.method = "PATCH"',
  },
  { id: 'locked_id_00001', name: 'locked' },
]

const parents = '/api/v1/collections/parents/records'
const children = '/api/v1/collections/children/records'
let reference: Reference

beforeEach(() => {
  reference = createReference({
    tables,
    superusers: [{ email: 'root@example.com', password: 'rootpass123' }],
    passwordCost: 4,
    log: (error) => {
      throw error
    },
  })
})

const batch = (requests: unknown, options = {}, query = '') =>
  call(reference, `POST /batch${query}`, { requests }, options)
const stored = async (table: string) =>
  (await call(reference, `GET /collections/${table}/records`)).body.items

describe('a batch', () => {
  it('runs in order, and later entries see earlier ones', async () => {
    const id = 'parent000000001'
    const response = await batch([
      { method: 'POST', url: `${parents}?fields=id,title`, body: { id, title: 'a', pass: 'geheim' } },
      { method: 'POST', url: `${children}?expand=parent`, body: { parent: id } },
      { method: 'PATCH', url: `${parents}/${id}`, body: { title: 'b', pass: 'geheim' } },
      { method: 'PUT', url: parents, body: { id, title: 'c' } },
      { method: 'PUT', url: parents, body: { title: 'd' } },
    ])
    expect(response.status).toBe(200)
    expect(response.body.map((one: { status: number }) => one.status)).toEqual([200, 200, 200, 200, 200])
    expect(response.body[0].body).toEqual({ id, title: 'a' })
    expect(response.body[1].body.expand.parent.title).toBe('a')
    expect(response.body[3].body).toMatchObject({ id, title: 'c' })
    expect(response.text).not.toContain('geheim')
    const removed = await batch([
      { method: 'DELETE', url: `${children}/${response.body[1].body.id}` },
      { method: 'DELETE', url: `${parents}/${id}` },
      { method: 'POST', url: parents, body: { id, title: 'c' } },
    ])
    expect(removed.body.map((one: { status: number }) => one.status)).toEqual([204, 204, 200])
    expect(removed.body[0].body).toBeNull()
  })

  it('writes nothing if one entry fails, and reports which', async () => {
    await call(reference, 'POST /collections/parents/records', { title: 'a' })
    const before = await stored('parents')
    reference.clock.advance(10)
    const response = await batch([
      { method: 'PATCH', url: `${parents}/${before[0].id}`, body: { title: 'b' } },
      { method: 'POST', url: parents, body: { title: 'a' } },
      { method: 'POST', url: parents, body: { title: 'too long' } },
      { method: 'POST', url: parents, body: { title: 'never' } },
    ])
    expect(response.body).toMatchObject({
      status: 400,
      message: 'Batch transaction failed.',
      data: {
        requests: {
          2: {
            code: 'batch_request_failed',
            message: 'Batch request failed.',
            response: { status: 400, data: { title: { code: 'validation_max_text_constraint' } } },
          },
        },
      },
    })
    expect(Object.keys(response.body.data.requests)).toEqual(['2'])
    expect(await stored('parents')).toEqual(before)
  })

  it('takes files in a form', async () => {
    const form = new FormData()
    const requests = [
      { method: 'POST', url: parents, body: { id: 'parent000000001' } },
      { method: 'POST', url: children, body: { parent: 'parent000000001' } },
    ]
    form.append('@jsonPayload', JSON.stringify({ requests }))
    form.append('requests.1.docs', new File(['a'], 'first.txt'))
    form.append('requests[1].docs', new File(['b'], 'second.txt'))
    const response = await call(reference, 'POST /batch', form)
    expect(response.body[1].body.docs).toEqual([
      expect.stringMatching(/^first_/),
      expect.stringMatching(/^second_/),
    ])
  })

  it('gives rules the context, the method it turned out to be, and the headers of both requests', async () => {
    const url = '/api/v1/collections/contexts/records'
    const bare = await batch([{ method: 'POST', url }])
    expect(bare.status).toBe(400)
    const own = await batch([
      { method: 'PUT', url, body: { id: 'context00000001' }, headers: { 'X-Mark': 'in' } },
    ])
    expect(own.status).toBe(200)
    const inherited = await batch([{ method: 'PUT', url, body: { id: 'context00000001' } }], {
      headers: { 'x-mark': 'in' },
    })
    expect(inherited.status).toBe(200)
  })

  it('is authorized by the outer request alone', async () => {
    const token = await signIn(reference, '_superusers', 'root@example.com', 'rootpass123')
    const requests = [
      { method: 'POST', url: '/api/v1/collections/locked/records', headers: { Authorization: token } },
    ]
    const rejected = await batch(requests)
    expect(rejected.body.data.requests[0].response.status).toBe(403)
    expect((await batch(requests, { token })).status).toBe(200)
    const { key } = await reference.apiKeys.create({ tables: ['locked'], actions: ['create'] })
    expect((await batch([...requests, { method: 'POST', url: parents }], { token: key })).status).toBe(400)
    expect(
      servicesOf(reference).store.current.count(servicesOf(reference).store.current.table('locked') as never),
    ).toBe(1)
  })

  it('shows rules no credentials of an entry', async () => {
    const asked = { ...tables[3], name: 'asked', createRule: '@request.headers.authorization = "forged"' }
    const other = createReference({ tables: [asked as TableDefinition] })
    const url = '/api/v1/collections/asked/records'
    const { status } = await call(other, 'POST /batch', {
      requests: [{ method: 'POST', url, headers: { Authorization: 'forged' } }],
    })
    expect(status).toBe(400)
  })

  it.each(['fields=%zz', 'fields=id&x=%', 'x=a;b', 'fields=id#%2'])(
    'rejects an entry whose query cannot be decoded: %s',
    async (query) => {
      const { status, body } = await batch([{ method: 'POST', url: `${parents}?${query}` }])
      expect(status).toBe(400)
      expect(body.data.requests[0].code).toBe('batch_request_failed')
    },
  )

  it.each(['x=%ff', 'x=a+b&&fields=id', 'fields=id#;'])('takes the query %s', async (query) => {
    expect((await batch([{ method: 'POST', url: `${parents}?${query}` }])).status).toBe(200)
  })

  it('applies fields to its own response', async () => {
    const response = await batch([{ method: 'POST', url: parents }], {}, '?fields=status')
    expect(response.body).toEqual([{ status: 200 }])
  })

  it('ends when its time is over', async () => {
    const slow = createReference({ tables, batch: { timeout: 1 }, clock: tickingClock() })
    const response = await call(slow, 'POST /batch', {
      requests: Array(9).fill({ method: 'POST', url: parents }),
    })
    expect(response.body).toEqual({ data: {}, message: 'Batch transaction failed.', status: 400 })
    expect((await call(slow, 'GET /collections/parents/records')).body.totalItems).toBe(0)
  })

  it.each([{}, { timeout: 0 }])('has three seconds with the settings %j', async (settings) => {
    const slow = createReference({ tables, batch: settings, clock: tickingClock() })
    const statusOf = async (entries: number) =>
      (await call(slow, 'POST /batch', { requests: Array(entries).fill({ method: 'POST', url: parents }) }))
        .status
    expect([await statusOf(2), await statusOf(20)]).toEqual([200, 400])
  })

  it('writes nothing for a client that hangs up in the middle', async () => {
    const leaving = new AbortController()
    const clock = tickingClock()
    let looks = 0
    const now = () => {
      looks += 1
      if (looks === 20) leaving.abort()
      return Date.UTC(2030, 0, 1)
    }
    const left = createReference({ tables, clock: { ...clock, now } })
    const sent = left.fetch('/api/v1/batch', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ requests: Array(50).fill({ method: 'POST', url: parents }) }),
      signal: leaving.signal,
    })
    await expect(sent).rejects.toThrow('aborted')
    // Waits for what the batch would write.
    const next = await left.records.create('parents', { title: 'next' })
    const { body } = await call(left, 'GET /collections/parents/records')
    expect(body.items).toEqual([next])
  })
})

/** Every look at it takes 200 ms. */
function tickingClock() {
  let time = Date.UTC(2030, 0, 1)
  const now = () => {
    time += 200
    return time
  }
  const never = () => {
    throw new Error('not used here')
  }
  return { now, set: never, advance: never, freeze: never, unfreeze: never, fork: never }
}

describe('what a batch rejects before it runs', () => {
  const unreadable = { data: {}, message: 'Failed to read the submitted batch data.', status: 400 }

  it.each([
    '{',
    '[]',
    'null',
    '{"requests":"x"}',
    '{"requests":["x"]}',
    '{"requests":[{"body":"x"}]}',
    '{"requests":[{"body":[]}]}',
    '{"requests":[{"method":1}]}',
  ])('what cannot be read: %s', async (body) => {
    expect((await call(reference, 'POST /batch', body)).body).toEqual(unreadable)
  })

  it('an unsupported media type', async () => {
    const response = await call(reference, 'POST /batch', '{}', { headers: { 'content-type': 'text/plain' } })
    expect(response.body).toEqual(unreadable)
  })

  it.each(['{}', '{"requests":null}', '{"requests":[]}', ''])('nothing to do: %s', async (body) => {
    expect((await call(reference, 'POST /batch', body)).body).toEqual({
      data: { requests: { code: 'validation_required', message: 'Cannot be blank.' } },
      message: 'Invalid batch request data.',
      status: 400,
    })
  })

  it('entries that lack something', async () => {
    const response = await batch([
      { method: 'POST', url: parents },
      null,
      {},
      { method: 'post', url: 'x'.repeat(2001) },
    ])
    expect(response.status).toBe(400)
    expect(response.body.data.requests).toEqual({
      1: { code: 'validation_required', message: 'Cannot be blank.' },
      2: {
        method: { code: 'validation_required', message: 'Cannot be blank.' },
        url: { code: 'validation_required', message: 'Cannot be blank.' },
      },
      3: {
        method: { code: 'validation_in_invalid', message: 'Must be a valid value.' },
        url: {
          code: 'validation_length_too_long',
          message: 'The length must be no more than 2000.',
          params: { max: 2000, min: 0 },
        },
      },
    })
    expect(await stored('parents')).toEqual([])
  })

  it('too many, too large, or any when switched off', async () => {
    const small = createReference({ tables, batch: { maxRequests: 1, maxBodySize: 500 } })
    const entry = { method: 'POST', url: parents }
    expect((await call(small, 'POST /batch', { requests: [entry, entry] })).body.data.requests.code).toBe(
      'validation_length_too_long',
    )
    expect(
      (await call(small, 'POST /batch', { requests: [{ ...entry, body: { title: 'x'.repeat(500) } }] }))
        .status,
    ).toBe(413)
    for (const settings of [{ enabled: false }, { maxRequests: 0 }]) {
      const off = createReference({ batch: settings })
      expect((await call(off, 'POST /batch', '{')).body.message).toBe('Batch requests are not allowed.')
    }
  })

  it('what exceeds a limit of every request, with the message of the limit', async () => {
    const small = createReference({ tables, limits: { jsonKeys: 2 } })
    const { status, body } = await call(small, 'POST /batch', {
      requests: [{ method: 'POST', url: parents }],
    })
    expect([status, body.message]).toEqual([400, expect.stringContaining('more than 2 keys')])
  })

  it('a URL of too many characters, not of too many code units', async () => {
    const response = await batch([{ method: 'POST', url: '😀'.repeat(2000) }])
    expect(response.body.data.requests[0].code).toBe('batch_request_failed')
  })

  it.each([
    ['GET', parents],
    ['POST', '/api/collections/parents/records'],
    ['POST', 'http://127.0.0.1/api/v1/collections/parents/records'],
    ['POST', ` ${parents}`],
    ['POST', `${parents}/`],
    ['POST', '/api/v1/batch'],
    ['POST', '/api/v1/collections/parents/auth-with-password'],
    ['PATCH', parents],
  ])('an action it does not know: %s %s', async (method, url) => {
    const response = await batch([
      { method: 'POST', url: parents },
      { method, url },
    ])
    expect(response.body.data.requests).toEqual({
      1: {
        code: 'batch_request_failed',
        message: 'Batch request failed.',
        response: { data: {}, message: 'Something went wrong while processing your request.', status: 400 },
      },
    })
    expect(await stored('parents')).toEqual([])
  })

  it.each(['POST', 'PUT'])('%s to a table whose name is escaped', async (method) => {
    const { status, body } = await batch([{ method, url: parents.replace('parents', 'p%61rents') }])
    expect([status, body.data.requests[0].response]).toEqual([
      400,
      { data: {}, message: 'Missing collection context.', status: 404 },
    ])
  })
})
