import { expect, it } from 'vitest'
import { createReference } from '../reference.ts'

const absent = 'See "What there is not" in docs/extras.md.'

it.each([
  [
    '/api/v1/collections/posts/records',
    'The prefix of this server is /api: request /api/collections/posts/records.',
  ],
  ['/api/v1/settings', 'The prefix of this server is /api: request /api/settings.'],
  [
    '/collections/posts/records',
    'The prefix of this server is /api: request /api/collections/posts/records.',
  ],
  ['/api/collection/posts/records', 'Did you mean /api/collections/posts/records?'],
  ['/api/collections/posts/record', 'Did you mean /api/collections/posts/records?'],
  [
    '/api/collections/posts/recods/post00000000001',
    'Did you mean /api/collections/posts/records/post00000000001?',
  ],
  ['/api//collections/posts/records', 'The path contains "//": request /api/collections/posts/records.'],
  ['/api/collections///posts/records', 'The path contains "//": request /api/collections/posts/records.'],
  ['/api/heath', 'Did you mean /api/health?'],
  ['/api/batch', 'This path takes POST, not GET.'],
  ['/api/collections/posts/auth-with-password', 'This path takes POST, not GET.'],
  ['/api/settings', `Settings are options of the server, not read or changed over HTTP. ${absent}`],
  ['/api/logs/stats', expect.stringContaining(absent)],
  ['/api/sql', `SQL is not supported. ${absent}`],
  ['/api/crons', `There are no cron jobs. ${absent}`],
  ['/api/backups', `There are no backups. ${absent}`],
  ['/api/collections', expect.stringContaining(absent)],
  ['/api/collections/posts', expect.stringContaining(absent)],
])('says what is meant by GET %s', async (path, hint) => {
  const reference = createReference({ prefix: '/api' })
  const { status } = await reference.fetch(path)
  const [line = ''] = reference.requests.last()?.reason ?? []
  expect(status).toBe(404)
  expect(line.slice(`The interface has no operation GET ${path}. `.length)).toEqual(
    path.startsWith('/api/') ? hint : expect.anything(),
  )
  if (!path.startsWith('/api/')) expect(line).toContain(hint)
})

it('lists the methods of a path', async () => {
  const reference = createReference({ prefix: '/api' })
  const hintOf = async (path: string) => {
    await reference.fetch(path, { method: 'PUT' })
    return reference.requests.last()?.reason?.[0]
  }
  const records = '/api/collections/posts/records'
  expect(await hintOf(records)).toContain('This path takes GET and POST, not PUT.')
  expect(await hintOf(`${records}/a`)).toContain('This path takes DELETE, GET and PATCH, not PUT.')
})

it.each(['/api/quite/another/thing', '/api/collections/posts/records/a/b', '/_/', '/'])(
  'guesses nothing for GET %s',
  async (path) => {
    const reference = createReference({ prefix: '/api' })
    await reference.fetch(path)
    expect(reference.requests.last()?.reason).toEqual([
      path.startsWith('/api/')
        ? `The interface has no operation GET ${path}.`
        : `${path} is not part of the interface: its paths begin with /api/.`,
    ])
  },
)

it('names the prefix of the interface to clients of the living family', async () => {
  const reference = createReference()
  await reference.fetch('/api/collections/posts/records')
  expect(reference.requests.last()?.reason).toEqual([
    '/api/collections/posts/records is not part of the interface: its paths begin with /api/v1/. The prefix of this server is /api/v1: request /api/v1/collections/posts/records.',
  ])
})
