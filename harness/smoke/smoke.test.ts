/** What the smoke check says of targets that do not respond, or have no table. */

import type { RequestListener } from 'node:http'
import { expect, it } from 'vitest'
import { loadTables } from '../../spec/tables.ts'
import type { Requirement } from '../../spec/vocabulary.ts'
import { madeUpRequirement } from '../../test/support/made-up-requirement.ts'
import { startTestServer } from '../../test/support/test-server.ts'
import { createSession } from '../session/create-session.ts'
import type { Target } from '../vocabulary/target.ts'
import { smokeCheck } from './smoke.ts'

interface Look {
  /** For what is never answered: what is shall have all the time of a busy machine. */
  timeout?: number
  tables?: Target['tables']
  credentials?: Target['credentials']
  requirements?: ReadonlyMap<string, Requirement>
  checks?: readonly string[]
  profile?: string | undefined
  /** Behind the server's address. */
  path?: string
}

async function lookAt(
  response: RequestListener,
  { timeout, tables = {}, credentials = {}, requirements = new Map(), checks, profile, path = '' }: Look = {},
) {
  const server = await startTestServer(response)
  const session = createSession(
    {
      baseUrl: `${server.url}${path}`,
      binding: { prefix: '/api/v1' },
      capabilities: {},
      tables,
      credentials,
      profile,
    },
    { requirements },
    { seed: 1, timeout },
  )
  try {
    return {
      smoke: await smokeCheck(session, { creates: true, checks }),
      tables: session.target.tables,
    }
  } finally {
    await session.close()
    server.close()
  }
}

const smokeOf = async (response: RequestListener, look?: Look) => (await lookAt(response, look)).smoke

it('distinguishes a server that does not respond from one that does not exist', async () => {
  await expect(smokeOf(() => {}, { timeout: 100 })).rejects.toMatchObject({
    name: 'ConfigurationError',
    fact: 'no complete response from the target within 100 ms',
  })
  await expect(smokeOf((request) => request.socket.destroy())).rejects.toMatchObject({
    fact: 'a server listens at this address, but closes the connection without a response',
  })
})

it('says that a table is missing because the server fails', async () => {
  const { notes, missingTables } = await smokeOf((_request, response) => {
    response.writeHead(500, { 'content-type': 'application/json' }).end('{}')
  })
  expect(missingTables).toHaveLength(loadTables().length)
  expect(notes.join()).toContain('conf_plain with 500')
})

it('says that tables are missing, and a superuser unconfirmed, where rejections are 200', async () => {
  const { notes, missingTables } = await smokeOf(
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"success":false}')
    },
    { credentials: { superuser: { token: 'token' } } },
  )
  expect(missingTables).toHaveLength(loadTables().length)
  expect(notes.join()).toContain('no response shows that the superuser may do more than a guest')
})

it.each([
  ['a table', { mfa: { role: 'mfa', name: 'agents' } }, true],
  ['no table', {}, undefined],
])(
  'takes several factors for offered where %s needs them, whatever auth-methods lists',
  async (_, tables, has) => {
    const list = { page: 1, perPage: 30, totalItems: 0, totalPages: 0, items: [] }
    const { capabilities } = await smokeOf(
      ({ url }, response) => {
        const body = url?.endsWith('auth-methods') ? ['password'] : list
        const status = url?.includes('agents') ? 200 : 404
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      },
      { tables },
    )
    expect(capabilities.mfa).toBe(has)
  },
)

it('knows of a table that it found the name alone: the server numbers its tables itself', async () => {
  const given = { related: { role: 'related', name: 'theirs', id: 'theirs_1' } }
  const { smoke, tables } = await lookAt(
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    },
    { tables: given },
  )
  expect(smoke.tables).toMatchObject({ plain: 'found', related: 'given' })
  expect(tables.related).toEqual(given.related)
  for (const [role, table] of Object.entries(tables)) if (role !== 'related') expect(table.id).toBeUndefined()
})

it.each([401, 403])(
  'takes no table for found where guests are sent away from any name, with %i',
  async (status) => {
    const { smoke } = await lookAt((request, response) => {
      const known = /conf_(plain|members)\b/.test(request.url ?? '')
      response.writeHead(known ? 200 : status, { 'content-type': 'application/json' }).end('{}')
    })
    expect(Object.keys(smoke.tables).sort()).toEqual(['members', 'plain'])
  },
)

const superuser = { superuser: { token: 'of-a-superuser' } }

/** Responds with a status that depends on the table and on whether there is a token. */
const byTable =
  (statusOf: (table: string, hasToken: boolean) => number): RequestListener =>
  (request, response) => {
    const [, table = ''] = /collections\/([^/]+)/.exec(request.url ?? '') ?? []
    const status = statusOf(table, request.headers.authorization !== undefined)
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  }

it.each([401, 403])(
  'rejects a token that changes nothing at a table of superusers, with %i',
  async (status) => {
    const ignoring = byTable((table) => (table === '_superusers' ? status : 404))
    await expect(smokeOf(ignoring, { credentials: superuser })).rejects.toMatchObject({
      name: 'ConfigurationError',
      fact: `the token of the superuser was rejected (status ${status})`,
    })
  },
)

const hiddenVault = {
  credentials: superuser,
  tables: { plain: { role: 'plain', name: 'notes' }, locked: { role: 'locked', name: 'vault' } },
}

it('rejects a token with which no list is accepted that needs none', async () => {
  const server = byTable((table, hasToken) => (table !== 'notes' ? 404 : hasToken ? 401 : 200))
  await expect(smokeOf(server, hiddenVault)).rejects.toMatchObject({
    name: 'ConfigurationError',
    fact: 'the token of the superuser was rejected (a list of notes returns 401 with it, and 200 without it)',
    next: expect.stringContaining('use a token that has not expired'),
  })
})

it('doubts the token, and not only the name of a table, where the superuser sees what a guest sees', async () => {
  const server = byTable((table) => (table === 'notes' ? 200 : 404))
  await expect(smokeOf(server, hiddenVault)).rejects.toMatchObject({
    fact: 'the server has no table "vault" (a list returned status 404)',
    next: expect.stringContaining('correct credentials.superuser, or CONFORMANCE_SUPERUSER_TOKEN'),
  })
})

it.each<[string, (table: string, hasToken: boolean) => number]>([
  ['rejects any name that is no table, with 401', (table) => (table === 'conf_plain' ? 200 : 401)],
  ['rejects any name that is no table, with 403', (table) => (table === 'conf_plain' ? 200 : 403)],
  ['rejects names that begin with an underscore', (table) => (table.startsWith('_') ? 403 : 404)],
  [
    'shows a superuser another reason than a guest for a missing list',
    (table, hasToken) => (table === '_superusers' ? (hasToken ? 403 : 401) : 404),
  ],
])('takes no token for rejected by a server that %s', async (_, statusOf) => {
  const { notes } = await smokeOf(byTable(statusOf), { credentials: superuser })
  expect(notes).toContainEqual(
    expect.stringMatching(
      /^no response shows that the superuser may do more than a guest: the list of _superusers returns 40[134], .*correct credentials\.superuser/,
    ),
  )
})

it.each([
  ['a table with a role', 'locked', 401],
  ['a table that counts as closed', 'plain', 404],
])('does not doubt a superuser who may list %s that a guest may not', async (_, role, status) => {
  const statusOf = (table: string, hasToken: boolean) => (table !== 'notes' ? 404 : hasToken ? 200 : status)
  const { notes } = await smokeOf(byTable(statusOf), {
    credentials: superuser,
    tables: { [role]: { role, name: 'notes' } },
  })
  expect(notes.filter((note) => note.includes('may do more than a guest'))).toEqual([])
})

it.each([
  [400, true],
  [401, false],
  [403, false],
  [404, undefined],
])('takes %i for a batch of a guest to mean: %s', async (status, has) => {
  const { smoke } = await lookAt((request, response) => {
    const batch = request.url === '/api/v1/batch'
    response.writeHead(batch ? status : 404, { 'content-type': 'application/json' }).end('{}')
  })
  expect(smoke.capabilities.batch).toBe(has)
  expect(smoke.notes.some((note) => note.includes('batch'))).toBe(has === false)
})

it.each([
  ['GET', 401],
  ['GET', 403],
  ['POST', 403],
])('counts a table of theirs as missing where %s of a guest returns %i', async (method, status) => {
  const given = {
    plain: { role: 'plain', name: 'notes' },
    related: { role: 'related', name: 'conf_related' },
    locked: { role: 'locked', name: 'secrets' },
  }
  const { smoke } = await lookAt(
    (request, response) => {
      const rejected = request.method === method && /notes|conf_related|secrets/.test(request.url ?? '')
      const known = /notes|conf_related|secrets/.test(request.url ?? '')
      response.writeHead(rejected ? status : known ? 200 : 404, { 'content-type': 'application/json' })
      response.end('{}')
    },
    { tables: given },
  )
  // Ours has our rules, and "locked" is closed to guests.
  expect(Object.keys(smoke.tables).sort()).toEqual(['locked', 'related'])
  expect(smoke.missingTables).toContain('plain')
  expect(smoke.notes.filter((note) => note.includes('closed to guests'))).toEqual([
    expect.stringContaining(
      `notes is closed to guests (${method === 'GET' ? 'list' : 'create'} with ${status})`,
    ),
  ])
})

it.each([
  [true, 'plain', { superuser: { token: 'of-a-superuser' } }],
  [false, 'related', { superuser: { token: 'of-a-superuser' } }],
  [false, 'plain', {}],
] as const)(
  'distinguishes a closed table (%s) from a rejected body: %s',
  async (closed, role, credentials) => {
    const { smoke } = await lookAt(
      (request, response) => {
        const rejected =
          request.method === 'POST' &&
          (request.url?.includes('theirs-related') || request.headers.authorization === undefined)
        const known = request.url?.includes('theirs') || request.headers.authorization !== undefined
        response.writeHead(rejected ? 400 : known ? 200 : 404, { 'content-type': 'application/json' })
        response.end('{}')
      },
      { tables: { [role]: { role, name: `theirs-${role}` } }, credentials },
    )
    expect(smoke.missingTables.includes(role)).toBe(closed)
  },
)

it.each<[string, number, string | undefined, object?]>([
  ['PATCH', 403, 'update with 403'],
  ['DELETE', 401, 'delete with 401'],
  // Without a superuser nothing shows whether the record is hidden from those who may not change it, where a path that does
  // not exist gets another response.
  ['PATCH', 404, 'update with 404', { message: 'no record that you may change' }],
  // Not a matter of who sends it: the operation is missing.
  ['DELETE', 405, undefined],
])(
  'counts a table whose records guests may not change as closed: %s with %i',
  async (method, status, closed, body: object = {}) => {
    const records = new Map<string, object>()
    const { smoke } = await lookAt(
      async (request, response) => {
        const [, table, id] = /collections\/(\w+)\/records\/?([^?]*)/.exec(request.url ?? '') ?? []
        const chunks: Buffer[] = []
        for await (const chunk of request) chunks.push(chunk as Buffer)
        const send = (code: number, body: object = {}) =>
          response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body))
        if (table !== 'notes') return send(404)
        if (request.method === method) return send(status, body)
        if (request.method === 'POST') {
          const record = { ...JSON.parse(Buffer.concat(chunks).toString()), id: 'k3v9x1m5q8w2z7b' }
          records.set(record.id, record)
          return send(200, record)
        }
        const found = records.get(id ?? '')
        if (id !== '' && found === undefined) return send(404)
        if (request.method === 'DELETE') records.delete(id ?? '')
        return send(200, found ?? { page: 1, perPage: 30, totalItems: 0, totalPages: 0, items: [] })
      },
      { tables: { plain: { role: 'plain', name: 'notes' } } },
    )
    expect(smoke.missingTables.includes('plain')).toBe(closed !== undefined)
    expect(smoke.notes.filter((note) => note.includes('closed to guests'))).toEqual(
      closed === undefined ? [] : [expect.stringContaining(`notes is closed to guests (${closed})`)],
    )
  },
)

const rejectsCreates =
  (...others: string[]): RequestListener =>
  (request, response) => {
    const { method, url = '' } = request
    const status = others.some((name) => url.includes(name)) ? 401 : method === 'POST' ? 403 : 200
    const isTable = /collections\/(?:notes|posts|tags|people)\/records/.test(url)
    response.writeHead(isTable ? status : 404, { 'content-type': 'application/json' })
    response.end('{"page":1,"perPage":30,"totalItems":0,"totalPages":0,"items":[]}')
  }
const tablesBy = (names: Record<string, string>) =>
  Object.fromEntries(Object.entries(names).map(([role, name]) => [role, { role, name }]))
const closedIn = (notes: readonly string[]) => notes.filter((note) => note.includes('closed to guests'))

it.each([
  [
    'alike',
    rejectsCreates(),
    'notes, posts and tags are closed to guests (create with 403), but the roles "plain", "related", "parent" and "child" must be open to them: requirements that need them are not judged',
  ],
  [
    'in different ways',
    rejectsCreates('posts'),
    'notes (create with 403), posts (list with 401) and tags (create with 403) are closed to guests, but the roles',
  ],
])('reports all tables that reject guests %s in one line', async (_, response, begin) => {
  const tables = tablesBy({ plain: 'notes', related: 'posts', parent: 'notes', child: 'tags' })
  const notes = closedIn((await smokeOf(response, { tables })).notes)
  expect(notes).toEqual([expect.stringContaining(begin)])
  expect(notes[0]).toMatch(
    /"tables": { "plain": { "name": "notes", "as": "caller" }, "related": .*"child": { "name": "tags", "as": "caller" } }, "credentials"/,
  )
})

it.each<[string, string | undefined, Target['credentials'], RegExp[]]>([
  [
    'no profile',
    undefined,
    {},
    [/^people is closed to guests \(create with 403\); for the accounts .*_TOKEN/],
  ],
  ['no profile, and a superuser', undefined, superuser, []],
  ['a profile', 'standard', superuser, [/"members" must be open .*: profile requirements .* not judged$/]],
])(
  'says of closed accounts what matters to a server that claims %s',
  async (_, profile, credentials, wanted) => {
    const tables = tablesBy({ members: 'people' })
    const { notes } = await smokeOf(rejectsCreates(), { tables, credentials, profile })
    expect(closedIn(notes)).toEqual(wanted.map((each) => expect.stringMatching(each)))
  },
)

it.each<[string, Target['credentials'], string]>([
  ['no superuser', {}, ''],
  ['a superuser', superuser, ', such as "superuser"'],
])('advises an abler caller if the target file names one, and has %s', async (_, credentials, abler) => {
  const { smoke } = await lookAt(
    (request, response) => {
      const status = !request.url?.includes('notes') ? 404 : request.method === 'POST' ? 403 : 200
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
    },
    {
      tables: { plain: { role: 'plain', name: 'notes', as: 'ann' } },
      credentials: { ...credentials, ann: { token: 'of-ann' } },
    },
  )
  expect(smoke.notes.filter((note) => note.startsWith('notes '))).toEqual([
    `notes rejects requests as "ann" (create with 403), which the target file names for the role "plain": requirements that need it are not judged; name a caller with more permissions${abler}`,
  ])
})

it('advises to act as the superuser in a table that is closed to guests, if there is one', async () => {
  const tables = tablesBy({ plain: 'notes' })
  const { notes } = await smokeOf(rejectsCreates(), { tables, credentials: superuser })
  expect(closedIn(notes)).toEqual([
    expect.stringContaining('; or "as": "superuser", if no account may write'),
  ])
})

it('finds a table that guests may not list', async () => {
  const { smoke } = await lookAt((request, response) => {
    const status = /conf_locked\b/.test(request.url ?? '') ? 403 : 404
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  })
  expect(smoke.tables).toEqual({ locked: 'found' })
})

it('says that what is served there is not JSON, or that the base URL already contains the prefix', async () => {
  // Not the same to every request: that has a note of its own.
  const page = await smokeOf((request, response) => {
    const status = request.url?.startsWith('/api/v1/') ? 200 : 404
    response.writeHead(status, { 'content-type': 'text/html' }).end('<p>hello</p>')
  })
  expect(page.notes).toContain(
    'the response to a list is not JSON (text/html): check that --base-url and --prefix lead to the interface',
  )
  const nowhere: RequestListener = (_request, response) => {
    response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
  }
  const twice =
    'the base URL ends with /api/v1, which is the prefix of every path: remove it from the base URL'
  const { smoke } = await lookAt(nowhere, { path: '/api/v1' })
  expect(smoke.notes).toContain(twice)
  expect((await smokeOf(nowhere)).notes).not.toContain(twice)
})

it('reports tables and credentials as far as the chosen checks need them', async () => {
  const response: RequestListener = (_request, response) => {
    response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
  }
  const requirements = new Map(
    [
      madeUpRequirement('a.plain', { needs: ['table:plain'] }),
      madeUpRequirement('a.other', { needs: ['table:related', 'actor:superuser'] }),
    ].map((each) => [each.id, each]),
  )
  const { smoke } = await lookAt(response, { requirements, checks: ['a.plain'] })
  expect(smoke.missingTables).toEqual(['plain'])
  expect(smoke.unlocks.map(({ checks }) => checks)).toEqual([1])
  const whole = (await lookAt(response, { requirements })).smoke
  expect(whole.missingTables).toHaveLength(loadTables().length)
  expect(whole.unlocks).toHaveLength(3)
})

it('says that the server limits the request rate', async () => {
  let count = 0
  const { notes } = await smokeOf(
    (_, response) => {
      count += 1
      if (count === 1) response.writeHead(429, { 'retry-after': '0' }).end()
      else response.end('{"items":[],"page":1,"perPage":30,"totalItems":0,"totalPages":0}')
    },
    { tables: { plain: { role: 'plain', name: 'notes' } } },
  )
  expect(notes).toContain(
    'the server limits the request rate (1 request was rejected with 429, and sent again later): the run waits each time. Lift the limit for the test, or set --rate below it',
  )
})

it('names the address that a redirect leads to, and does not go there', async () => {
  let requested = 0
  const other = await startTestServer((_, response) => {
    requested += 1
    response.end()
  })
  try {
    const { notes } = await smokeOf(({ url = '' }, response) => {
      response.writeHead(301, { location: `${other.url}${url}` }).end()
    })
    expect(notes).toContainEqual(
      `a list redirects to ${other.url}/api/v1/collections/conf_plain/records, and the run does not follow redirects: correct --base-url or --prefix if this is the server to test`,
    )
    expect(requested).toBe(0)
  } finally {
    other.close()
  }
})

it('judges a table whose records cannot be changed yet: the response is that of a path that does not exist', async () => {
  const records = new Map<string, object>()
  const { smoke, tables } = await lookAt(
    async (request, response) => {
      const [, id] = /collections\/notes\/records\/?([^?]*)/.exec(request.url ?? '') ?? []
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const send = (code: number, body: object = {}) =>
        response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      if (id === '' && request.method === 'POST') {
        const record = { ...JSON.parse(Buffer.concat(chunks).toString()), id: 'k3v9x1m5q8w2z7b' }
        records.set(record.id, record)
        return send(200, record)
      }
      const found = records.get(id ?? '')
      if (request.method === 'GET' && (id === '' || found !== undefined))
        return send(200, found ?? { page: 1, perPage: 30, totalItems: 0, totalPages: 0, items: [] })
      return send(404, { message: `no such path: ${request.url}` })
    },
    { tables: { plain: { role: 'plain', name: 'notes' } } },
  )
  expect(tables.plain?.name).toBe('notes')
  expect(smoke.notes).toContainEqual(
    expect.stringMatching(
      /^update and delete of records of notes do not exist, or are closed to guests, .* \(404\): the checks that need them fail\. If only guests are rejected: target file: .*"as": "caller"/,
    ),
  )
})
