/**
 * What is not part of the document, compared with the living server family: downloads, realtime, health. The places in
 * which the reference differs on purpose are in `docs/extras.md`.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LivingServer, livingBinary, startLivingServer } from '../../scripts/living/living-server.ts'
import { type ExtrasRequest, type ExtrasSide, startExtrasPair } from './extras-pair.ts'

const binary = await livingBinary()
const missing = 'missing' in binary ? binary.missing : undefined
if (missing !== undefined) console.log(`Not run: ${missing}. Set POCKETBASE_BIN or install Go to run this.`)

const open = { listRule: '', viewRule: '', createRule: '', updateRule: '', deleteRule: '' }
const stamps = [
  { name: 'created', type: 'autodate' as const, onCreate: true },
  { name: 'updated', type: 'autodate' as const, onCreate: true, onUpdate: true },
]
const tables = [
  {
    ...open,
    id: 'pbc_extra_people',
    name: 'people',
    type: 'auth' as const,
    fields: [{ name: 'nick', type: 'text' as const }, ...stamps],
  },
  {
    ...open,
    id: 'pbc_extra_docs00',
    name: 'docs',
    viewRule: '@request.auth.id != "" && @request.context = "protectedFile"',
    fields: [
      { name: 'title', type: 'text' as const },
      { name: 'open', type: 'file' as const, maxSelect: 20 },
      { name: 'safe', type: 'file' as const, protected: true },
      ...stamps,
    ],
  },
  {
    ...open,
    id: 'pbc_extra_notes0',
    name: 'notes',
    listRule: 'owner = @request.auth.id || public = true || @request.headers.x_key = "open"',
    viewRule: 'public = true',
    fields: [
      { name: 'text', type: 'text' as const },
      { name: 'public', type: 'bool' as const },
      { name: 'secret', type: 'text' as const, hidden: true },
      {
        name: 'owner',
        type: 'relation' as const,
        collectionId: 'pbc_extra_people',
        cascadeDelete: false,
        maxSelect: 1,
      },
      {
        name: 'parent',
        type: 'relation' as const,
        collectionId: 'pbc_extra_notes0',
        cascadeDelete: true,
        maxSelect: 1,
      },
      ...stamps,
    ],
  },
]

const uploads: [string, string | Buffer][] = [
  ['text.txt', 'hello world'],
  ['page.html', '<html>hi</html>'],
  ['data.json', '{"a":1}'],
  ['draw.svg', '<svg xmlns="http://www.w3.org/2000/svg"></svg>'],
  ['style.css', 'a{}'],
  ['code.mjs', 'x'],
  ['image.png', Buffer.from('89504e470d0a1a0a', 'hex')],
  ['image.gif', 'GIF89a'],
  ['paper.pdf', '%PDF-1.4'],
  ['feed.xml', '<?xml version="1.0"?><feed/>'],
  ['pack.zip', Buffer.from('504b0506', 'hex')],
  ['empty.txt', ''],
]

/** Values of `Range`, by the status for a file of 11 bytes. */
const ranges: Record<number, string[]> = {
  200: ['', 'bytes=', 'bytes= , ,', 'bytes=0-5,5-10'],
  206: [
    ...['bytes=0-4', 'bytes=6-', 'bytes=-3', 'bytes=-99999', 'bytes=-0', 'bytes=0-999', 'bytes=10-10'],
    ...['bytes= 0-1', 'bytes=0 - 1', 'bytes=+1-+3', 'bytes=0-1,', 'bytes=0-1,200-', 'bytes=200-,0-1'],
    ...['bytes=0-1,3-4', 'bytes=0-1, 3-4', 'bytes=0-4,2-6', 'bytes=-1,0-0', 'bytes=-0,-0'],
    ...['bytes=0-9223372036854775807'],
  ],
  416: [
    ...['bytes=50-', 'bytes=11-', 'bytes=200-,300-', 'bytes=200-100', 'bytes=9223372036854775807-'],
    ...[
      'bytes=abc',
      'bytes=5-2',
      'items=0-1',
      'BYTES=0-1',
      'bytes',
      '0-1',
      'bytes=-',
      'bytes=--1',
      'bytes=0-1-2',
    ],
    ...['bytes=0-1,5-2', 'bytes=200-,x', 'bytes=0-1;3-4', 'bytes=0x1-2', 'bytes=9223372036854775808-'],
  ],
}
const [past, future] = ['Mon, 01 Jan 2001 00:00:00 GMT', 'Mon, 01 Jan 2035 00:00:00 GMT']
/** Headers with which a file is not necessarily sent, and the status. */
const conditions: [Record<string, string>, number][] = [
  [{ 'if-none-match': '*' }, 304],
  [{ 'if-none-match': '"other"' }, 200],
  [{ 'if-none-match': '"other", *' }, 304],
  [{ 'if-none-match': 'other, *' }, 200],
  [{ 'if-none-match': '', 'if-modified-since': future }, 304],
  [{ 'if-none-match': '"other"', 'if-modified-since': future }, 200],
  [{ 'if-modified-since': future }, 304],
  [{ 'if-modified-since': future, range: 'bytes=50-' }, 304],
  [{ 'if-modified-since': 'Monday, 01-Jan-35 00:00:00 GMT' }, 304],
  [{ 'if-modified-since': 'Mon Jan  1 00:00:00 2035' }, 304],
  [{ 'if-modified-since': '2035-01-01' }, 200],
  [{ 'if-modified-since': 'Mon, 1 Jan 2035 00:00:00 GMT' }, 200],
  [{ 'if-modified-since': 'Mon, 31 Feb 2035 00:00:00 GMT' }, 200],
  [{ 'if-modified-since': past }, 200],
  [{ 'if-unmodified-since': past }, 412],
  [{ 'if-unmodified-since': future }, 200],
  [{ 'if-unmodified-since': '0' }, 200],
  [{ 'if-match': '"other"' }, 412],
  [{ 'if-match': '"other", *' }, 200],
  [{ 'if-match': '*', 'if-unmodified-since': past }, 200],
  [{ 'if-match': '', 'if-unmodified-since': past }, 412],
  [{ 'if-match': '"other"', range: 'bytes=50-' }, 412],
  [{ 'if-range': '"other"', range: 'bytes=0-1' }, 200],
  [{ 'if-range': '"other"', range: 'bytes=abc' }, 200],
  [{ 'if-range': past, range: 'bytes=0-1' }, 200],
  [{ 'if-range': '', range: 'bytes=0-1' }, 206],
]

const id = (name: string) => name.padEnd(15, '0')
const options = (query: unknown, headers = {}) =>
  `?options=${encodeURIComponent(JSON.stringify({ query, headers }))}`

describe.skipIf(missing !== undefined)('the reference does as the living family does', () => {
  let server: LivingServer
  let pair: Awaited<ReturnType<typeof startExtrasPair>>

  beforeAll(async () => {
    if ('missing' in binary) return
    server = await startLivingServer(binary.path)
    pair = await startExtrasPair(server, tables)
  })
  afterAll(async () => {
    await pair?.close()
    await server?.stop()
  })

  async function both<T>(work: (side: ExtrasSide) => Promise<T>): Promise<readonly [living: T, ours: T]> {
    return Promise.all([work(pair.sides[0]), work(pair.sides[1])])
  }

  async function same(request: ExtrasRequest): Promise<number> {
    const [living, ours] = await both((side) => side.send(request))
    expect(ours, JSON.stringify(request)).toEqual(living)
    return living.status
  }

  it('for downloads of all kinds, with ranges and preconditions', async () => {
    await both(async (side) => {
      const form = new FormData()
      form.append('id', id('doc'))
      for (const [name, content] of uploads) form.append('open', new File([content], name))
      form.append('safe', new File(['secret'], 'safe.txt'))
      const { text } = await side.send({ method: 'POST', path: '/collections/docs/records', body: form })
      const record = JSON.parse(text) as { open: string[]; safe: string }
      record.open.forEach((name, at) => {
        side.learn(uploads[at]?.[0] ?? '', name)
      })
      side.learn('safe', record.safe)
    })
    const base = `/files/docs/${id('doc')}`
    for (const [name] of uploads)
      for (const query of ['', '?download=1', '?download=false', '?thumb=100x100'])
        expect(await same({ path: `${base}/<${name}>${query}` })).toBe(200)
    const text = `${base}/<text.txt>`
    for (const [status, headers] of Object.entries(ranges))
      for (const range of headers)
        for (const method of ['GET', 'HEAD']) {
          expect(await same({ method, path: text, headers: { range } }), range).toBe(Number(status))
          await same({ method, path: `${base}/<empty.txt>`, headers: { range } })
        }
    for (const [headers, status] of conditions)
      expect(await same({ path: text, headers }), JSON.stringify(headers)).toBe(status)
    expect(await same({ path: text, method: 'HEAD' })).toBe(200)
    for (const path of [`${base}/none.txt`, '/files/docs/none/none.txt', '/files/none/none/none.txt'])
      expect(await same({ path })).toBe(404)
    expect(await same({ path: '/files/token' })).toBe(404)
    expect(await same({ path: text, method: 'POST' })).toBe(404)
  })

  it('for protected files and their tokens', async () => {
    const path = `/files/docs/${id('doc')}/<safe>`
    expect(await same({ path: '/files/token', method: 'POST' })).toBe(401)
    await both(async (side) => {
      const body = {
        id: id('ann'),
        email: 'ann@example.com',
        password: 'password1',
        passwordConfirm: 'password1',
      }
      await side.send({ method: 'POST', path: '/collections/people/records', body })
      const signIn = { identity: body.email, password: body.password }
      const { text } = await side.send({
        method: 'POST',
        path: '/collections/people/auth-with-password',
        body: signIn,
      })
      side.learn('ann', (JSON.parse(text) as { token: string }).token)
      for (const who of ['ann', 'root']) {
        const headers = { authorization: `<${who}>` }
        const token = await side.send({ method: 'POST', path: '/files/token', headers })
        side.learn(`file of ${who}`, (JSON.parse(token.text) as { token: string }).token)
      }
    })
    expect(await same({ path: `${path}?token=<file of ann>` })).toBe(200)
    expect(await same({ path: `${path}?token=<file of root>` })).toBe(200)
    for (const other of [path, `${path}?token=<ann>`, `${path}?token=<root>`, `${path}?token=x`])
      expect(await same({ path: other })).toBe(404)
    expect(await same({ path, headers: { authorization: '<root>' } })).toBe(404)
  })

  it('for the health', async () => {
    expect(await same({ path: '/health' })).toBe(200)
    expect(await same({ path: '/health', method: 'HEAD' })).toBe(200)
    expect(await same({ path: '/health', method: 'POST' })).toBe(404)
    expect(await same({ path: '/health?fields=code' })).toBe(200)
  })

  it('for subscriptions that are rejected', async () => {
    const long = { clientId: 'x'.repeat(256), subscriptions: Array(1001).fill('a') }
    const topics = { clientId: 'x', subscriptions: ['a'.repeat(2501), 'ok'] }
    const odd = [
      ...[{}, { clientId: 'x' }, { clientId: null }, { clientId: 5 }, { clientId: 'x', subscriptions: 'a' }],
      ...[{ clientId: 'x', subscriptions: [1] }, { clientId: 'x', subscriptions: null }, long, topics],
    ]
    for (const body of odd)
      expect(await same({ method: 'POST', path: '/realtime', body })).toBeGreaterThanOrEqual(400)
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    expect(await same({ method: 'POST', path: '/realtime', headers, body: {} })).toBe(400)
  })

  it('for events: who hears what of which change', async () => {
    await both((side) => side.listen('guest'))
    await both((side) => side.listen('user'))
    await both((side) => side.listen('superuser'))
    const subscribe = (clientId: string, subscriptions: string[], authorization?: string) =>
      same({
        method: 'POST',
        path: '/realtime',
        body: { clientId: `<${clientId}>`, subscriptions },
        ...(authorization !== undefined && { headers: { authorization } }),
      })
    const all = [
      'notes/*',
      'notes',
      'pbc_extra_notes0/*',
      `notes/${id('one')}`,
      'NOTES/*',
      `notes/*${options({ fields: 'text,expand.owner.nick,expand.owner.email', expand: 'owner,parent' })}`,
      `notes/*${options({ filter: 'text ~ "b"' })}`,
      `notes/*${options({ filter: 'no such' })}`,
      `notes/*${options({ filter: '@request.auth.id = ""' })}`,
      `notes/*${options({}, { 'X-Key': 'open' })}`,
      `notes/*${options({ fields: 5, expand: true })}`,
      'notes/*?options=broken',
      'people/*',
      `people/${id('ann')}`,
    ]
    const hidden = `notes/*${options({ filter: 'secret = ""' })}`
    expect(await subscribe('guest', [...all, hidden])).toBe(204)
    expect(await subscribe('user', [...all, hidden], '<ann>')).toBe(204)
    expect(await subscribe('superuser', all, '<root>')).toBe(204)
    for (const authorization of [undefined, '<root>'])
      expect(await subscribe('user', ['notes/*'], authorization)).toBe(403)

    async function change(method: string, path: string, body?: unknown) {
      const status = await same({ method, path, body, headers: { authorization: '<root>' } })
      expect(status).toBeLessThan(300)
      const [living, ours] = await both((side) => side.heard())
      expect(ours, `${method} ${path}`).toEqual(living)
      return living.length
    }
    const notes = '/collections/notes/records'
    const one = { id: id('one'), text: 'a', owner: id('ann'), secret: 'x' }
    let events = await change('POST', notes, one)
    events += await change('PATCH', `${notes}/${id('one')}`, { text: 'b', public: true })
    events += await change('PATCH', `${notes}/${id('one')}`, {})
    events += await change('POST', notes, { id: id('two'), text: 'b child', parent: id('one') })
    events += await change('PATCH', '/collections/people/records/ann000000000000', { nick: 'Ann' })
    events += await change('POST', '/batch', {
      requests: [
        { method: 'POST', url: `/api${notes}`, body: { id: id('three'), text: 'b1', public: true } },
        { method: 'PATCH', url: `/api${notes}/${id('three')}`, body: { text: 'b2' } },
        { method: 'POST', url: `/api${notes}`, body: { id: id('four'), text: 'b3', public: true } },
        { method: 'PATCH', url: `/api${notes}/${id('four')}`, body: { public: false } },
        { method: 'DELETE', url: `/api${notes}/${id('three')}` },
      ],
    })
    events += await change('DELETE', `${notes}/${id('one')}`)
    events += await change('POST', notes, { id: id('five'), text: 'mine', owner: id('ann') })
    events += await change('DELETE', `/collections/people/records/${id('ann')}`)
    events += await change('PATCH', `${notes}/${id('five')}`, { text: 'nobody’s', owner: '' })
    expect(events).toBeGreaterThan(100)
  })
})
