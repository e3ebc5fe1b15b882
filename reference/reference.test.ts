import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { call } from '../test/support/reference-call.ts'
import { createReference } from './reference.ts'

const tables = [
  {
    name: 'posts',
    listRule: '',
    viewRule: '',
    createRule: '',
    updateRule: '',
    deleteRule: '',
    fields: [
      { name: 'title', type: 'text' as const },
      { name: 'created', type: 'autodate' as const, onCreate: true },
    ],
  },
]
const list = 'GET /collections/posts/records'
const create = 'POST /collections/posts/records'

describe('a reference', () => {
  it('snapshots, restores, resets and forks', async () => {
    const reference = createReference({ tables, seed: 7, records: { posts: [{ title: 'seed' }] } })
    const one = await call(reference, create, { title: 'one' })
    const snapshot = reference.snapshot()
    const two = await call(reference, create, { title: 'two' })
    const fork = reference.fork()
    await call(fork, create, { title: 'fork' })
    expect((await call(reference, list)).body.totalItems).toBe(3)
    expect((await call(fork, list)).body.totalItems).toBe(4)
    reference.restore(snapshot)
    expect((await call(reference, create, { title: 'again' })).body.id).toBe(two.body.id)
    reference.reset()
    expect((await call(reference, list)).body.items.map(({ title }: { title: string }) => title)).toEqual([
      'seed',
    ])
    expect((await call(reference, create, {})).body.id).toBe(one.body.id)
    fork.reset()
    expect((await call(fork, list)).body.totalItems).toBe(3)
  })

  it('restores snapshots of its forks and of what it is a fork of, and of no other reference', () => {
    const reference = createReference({ tables })
    const fork = reference.fork()
    expect(() => fork.fork().restore(reference.snapshot())).not.toThrow()
    expect(() => reference.restore(fork.snapshot())).not.toThrow()
    const other = createReference({ tables: [{ name: 'other' }] })
    expect(() => reference.restore(other.snapshot())).toThrow('This snapshot is from another reference')
    expect(reference.records.count('posts')).toBe(0)
  })

  it('resets the clock to its time after creation, and restores leave it', () => {
    const started = createReference({ tables, clock: '2030-05-06T07:08:09Z' })
    const start = Date.parse('2030-05-06T07:08:09Z')
    const snapshot = started.snapshot()
    started.clock.advance('2h')
    started.restore(snapshot)
    expect(started.clock.now() - start).toBeGreaterThanOrEqual(7_200_000)
    const fork = started.fork()
    started.clock.freeze()
    started.reset()
    expect(started.clock.now() - start).toBeLessThan(600_000)
    fork.clock.advance('2h')
    fork.reset()
    expect(fork.clock.now() - start).toBeGreaterThanOrEqual(7_200_000)
    expect(fork.clock.now() - start).toBeLessThan(9_000_000)
    const system = createReference({ tables })
    system.clock.freeze('2030-05-06T07:08:09Z')
    const frozen = system.fork()
    frozen.clock.unfreeze()
    frozen.clock.advance('1d')
    frozen.reset()
    expect(frozen.clock.now()).toBe(start)
    system.reset()
    expect(Math.abs(system.clock.now() - Date.now())).toBeLessThan(1_000)
  })

  it('does not reset a clock that it was given', () => {
    const { clock } = createReference({ tables })
    const reference = createReference({ tables, clock })
    clock.freeze('2030-05-06T07:08:09Z')
    reference.reset()
    expect(reference.clock.now()).toBe(Date.parse('2030-05-06T07:08:09Z'))
  })

  it('lets tests control the clock', async () => {
    const reference = createReference({ tables })
    reference.clock.freeze('2030-05-06T07:08:09.123Z')
    expect((await call(reference, create, {})).body.created).toBe('2030-05-06 07:08:09.123Z')
    reference.clock.advance(1000)
    expect((await call(reference, create, {})).body.created).toBe('2030-05-06 07:08:10.123Z')
    expect(() => reference.clock.set('soon')).toThrow('The clock cannot be set to soon')
  })

  it('reports invalid data when it is created', () => {
    expect(() => createReference({ prefix: 'api/' })).toThrow('The prefix "api/" is not a path')
    const root = { email: 'a@example.com', password: 'rootpass123' }
    expect(() => createReference({ superusers: [root, root] })).toThrow(
      'Record _superusers[1] cannot be kept',
    )
    expect(() => createReference({ records: { nope: [{}] } })).toThrow(
      '"nope", which is not among the tables',
    )
    expect(() => createReference({ tables, records: { posts: [{ title: 'x'.repeat(6000) }] } })).toThrow(
      'Record posts[0] does not fit its table: title',
    )
  })

  it('responds to HEAD, preflights and unknown paths', async () => {
    const reference = createReference({ tables })
    const head = await reference.fetch('/api/v1/collections/posts/records', { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    const options = await reference.fetch('/api/v1/batch', {
      method: 'OPTIONS',
      headers: { 'access-control-request-headers': 'authorization' },
    })
    expect([options.status, options.headers.get('access-control-allow-headers')]).toEqual([
      204,
      'authorization',
    ])
    // A browser must not keep the permission for long: another server may use the same port next.
    expect(options.headers.get('access-control-max-age')).toBeNull()
    expect(options.headers.get('vary')).toBe(
      'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
    )
    for (const line of [
      'GET /nope',
      'PUT /collections/posts/records',
      'POST /collections/posts/records/abc',
      'GET /collections/posts/records/',
      'GET /batch',
    ]) {
      const { status, body } = await call(reference, line)
      expect([status, body]).toEqual([
        404,
        { data: {}, message: "The requested resource wasn't found.", status: 404 },
      ])
    }
    const { headers } = await call(reference, list)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-type')).toBe('application/json')
  })

  it('stops waiting when the caller aborts, as fetch does', async () => {
    const reference = createReference({ tables: [{ name: 'posts', listRule: '', createRule: '' }] })
    const path = '/api/v1/collections/posts/records'
    const early = AbortSignal.abort()
    const before = reference.fetch(path, { method: 'POST', signal: early })
    await expect(before).rejects.toBe(early.reason)
    expect([reference.records.count('posts'), reference.requests.length]).toEqual([0, 0])
    const controller = new AbortController()
    const during = reference.fetch(new Request(`http://x.test${path}`, { signal: controller.signal }))
    controller.abort(new Error('changed my mind'))
    await expect(during).rejects.toThrow('changed my mind')
    const unused = new AbortController()
    expect((await reference.fetch(path, { signal: unused.signal })).status).toBe(200)
    unused.abort()
  })

  it('listens on a socket, with the same responses', async () => {
    await using reference = createReference({ tables, prefix: '/api' })
    const { url, port } = await reference.listen()
    expect(url).toBe(`http://127.0.0.1:${port}`)
    const created = await fetch(`${url}/api/collections/posts/records`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"title":"über"}',
    })
    expect(((await created.json()) as { title: string }).title).toBe('über')
    const chunked = await fetch(`${url}/api/collections/posts/records`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: new Blob([new Uint8Array(34 * 1024 * 1024)]).stream(),
      duplex: 'half',
    } as RequestInit).then(
      (response) => response.status,
      () => 413,
    )
    expect(chunked).toBe(413)
  })

  it('loads few and small packages, and nothing that only the suite needs', async () => {
    expect([...(await packagesOf(new URL('reference.ts', import.meta.url)))].sort()).toEqual([
      'hono/hono-base',
      'hono/router/reg-exp-router',
      're2js',
      'sorted-btree',
    ])
  })
})

const loading = /^(?:import\s(?:([^'"=]*?)\sfrom\s)?|export\s\{[^}]*\}\sfrom\s)'([^']+)'/gm

/** Packages that a module imports when it is loaded, through all project files; lazy imports do not count. */
async function packagesOf(entry: URL, seen = new Set<string>()): Promise<Set<string>> {
  const packages = new Set<string>()
  if (seen.has(entry.href)) return packages
  seen.add(entry.href)
  const text = await readFile(entry, 'utf8')
  for (const [, clause = '', source = ''] of text.matchAll(loading)) {
    if (clause.startsWith('type ') || source.startsWith('node:')) continue
    if (source.startsWith('.'))
      for (const name of await packagesOf(new URL(source, entry), seen)) packages.add(name)
    else packages.add(source)
  }
  return packages
}
