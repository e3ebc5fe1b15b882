/** `conformance serve` as a process: its options, how it begins, reloads and ends. */

import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { startMailSink } from '../../harness/services/mail-sink.ts'
import { type ServeProcess, startServe } from '../../scripts/support/serve-process.ts'
import { commandInProcess } from '../support/command-in-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'serve-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const file = (name: string, content: unknown): string => {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

const origin = async (server: ServeProcess) => (await server.says(/reference at (http:\/\/[^/]+)/))[1] ?? ''

async function titles(url: string): Promise<string[]> {
  const response = await fetch(`${url}/api/v1/collections/posts/records`)
  const { items } = (await response.json()) as { items: { title: string }[] }
  return items.map(({ title }) => title)
}

const whole = {
  tables: [
    { name: 'members', type: 'auth', listRule: '', viewRule: '', fields: [] },
    { name: 'posts', type: 'base', listRule: '', fields: [{ name: 'title', type: 'text' }] },
  ],
  records: {
    posts: [{ title: 'first' }],
    members: [{ id: 'member000000001', email: 'ann@example.com', password: 'secret1234' }],
  },
  superusers: [{ email: 'root@example.com', password: 'root-secret' }],
  keys: [{ name: 'reader', tables: ['posts'], actions: ['list'] }],
}

describe('options', { timeout: 40_000 }, () => {
  it('brings tables, records, superusers and keys from a file, and ends cleanly at Ctrl-C', async () => {
    const ready = join(folder, 'ready.json')
    const data = file('whole.json', whole)
    const server = startServe([
      '--data',
      data,
      '--ready-file',
      ready,
      '--seed',
      '7',
      '--clock',
      '2030-01-31T12:00:00Z',
    ])
    const url = await origin(server)
    await server.says(/target file/)
    expect(server.out()).toMatch(/2 tables, 2 records; changes are kept in memory only\nseed {6}7\n/)
    expect(statSync(ready).mode & 0o777).toBe(0o600)
    const { credentials } = JSON.parse(readFileSync(ready, 'utf8'))
    expect(credentials.reader.scope).toEqual({ tables: ['posts'], actions: ['list'] })
    expect(await titles(url)).toEqual(['first'])
    const listed = (table: string, token: string) =>
      fetch(`${url}/api/v1/collections/${table}/records`, { headers: { authorization: token } })
    expect((await listed('posts', credentials.reader.token)).status).toBe(200)
    expect((await listed('members', credentials.reader.token)).status).toBe(403)
    const superusers = await (await listed('_superusers', credentials.superuser.token)).json()
    expect((superusers as { items: { email: string }[] }).items.map(({ email }) => email)).toContain(
      'root@example.com',
    )
    expect(JSON.stringify(superusers)).toContain('2030-01-31 12:00:')
    expect((await fetch(`${url}/_conformance/state`)).status).toBe(404)
    expect((await fetch(`${url}/_/`)).headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(await server.stop()).toBe(0)
    expect(existsSync(ready)).toBe(false)
  })

  it('ends at once while a request waits for an email', async () => {
    const server = startServe(['--no-console', '--control'])
    const url = await origin(server)
    const waiting = fetch(`${url}/_conformance/mail?wait=20000`).then(String, () => 'ended')
    // The next request is answered after the first one was received.
    await fetch(`${url}/_conformance/clock`)
    const began = performance.now()
    expect(await server.stop()).toBe(0)
    expect(performance.now() - began).toBeLessThan(4_000)
    expect(await waiting).toBe('ended')
  })

  it('does without the console when told to, under another prefix', async () => {
    const server = startServe([
      '--no-console',
      '--prefix',
      '/api',
      '--data',
      file('plain.json', { posts: [{ title: 'a' }] }),
    ])
    const url = await origin(server)
    expect((await fetch(`${url}/_/`)).status).toBe(404)
    expect((await fetch(`${url}/api/collections/posts/records`)).status).toBe(200)
    expect(await server.stop('SIGTERM')).toBe(0)
  })

  it('prints requests with --log, and why they were rejected', async () => {
    const server = startServe(['--no-console', '--log', '--data', file('logged.json', whole)])
    const url = await origin(server)
    expect((await fetch(`${url}/api/v1/collections/post/records`)).status).toBe(404)
    await server.says(
      /Z {2}GET \/api\/v1\/collections\/post\/records {2}404 {2}[\d.]+ ms {2}anonymous\n {4}There is no table "post"\. Did you mean "posts"\?/,
    )
    expect(await server.stop()).toBe(0)
  })

  it('takes an export, and says that it leaves its views out', async () => {
    const view = { name: 'totals', type: 'view', viewQuery: 'select 1 as id', fields: [] }
    const marked = { name: 'nologin', type: 'auth', system: true, fields: [] }
    const server = startServe([
      '--data',
      file('export.json', [{ name: 'posts', listRule: '' }, view, marked]),
    ])
    const url = await origin(server)
    await server.says(/^notice {4}View tables cannot be served here and were left out: "totals"\.$/m)
    expect(server.out()).toContain(': 2 tables, 0 records;')
    expect(await titles(url)).toEqual([])
    expect(await server.stop()).toBe(0)
  })

  it('reloads what changed, and keeps the old state when the file is wrong', async () => {
    const ready = join(folder, 'watched-ready.json')
    const data = file('watched.json', { posts: [{ title: 'one' }] })
    const server = startServe(['--data', data, '--watch', '--ready-file', ready])
    const url = await origin(server)
    await server.says(/target file/)
    const { credentials } = JSON.parse(readFileSync(ready, 'utf8'))
    file('watched.json', '{"posts":')
    await server.says(/not reloaded, the current state is kept: the data file has a syntax error: /)
    expect(await titles(url)).toEqual(['one'])
    file('watched.json', { posts: [{ id: 'a/b' }] })
    await server.says(/the id of posts\[0\] is "a\/b"/)
    file('watched.json', { more: [{ n: 1 }], posts: [{ title: 'two' }] })
    await server.says(/reloaded .*2 tables, 2 records/)
    expect(await titles(url)).toEqual(['two'])
    const headers = { authorization: credentials.superuser.token }
    expect((await fetch(`${url}/api/v1/collections/_superusers/records`, { headers })).status).toBe(200)
    expect(await server.stop()).toBe(0)
  })

  it('cleans up also when it is stopped at its first word', async () => {
    const ready = join(folder, 'early-ready.json')
    const server = startServe(['--data', file('plain.json', { posts: [] }), '--ready-file', ready])
    server.child.stdout?.once('data', () => server.child.kill('SIGTERM'))
    expect(await server.ended).toBe(0)
    expect(existsSync(ready)).toBe(false)
  })

  it('ends with its terminal as at SIGTERM', async () => {
    const ready = join(folder, 'terminal-ready.json')
    const server = startServe(['--data', file('plain.json', { posts: [] }), '--ready-file', ready])
    await server.says(/target file/)
    server.child.kill('SIGHUP')
    // The second one may come when nothing is left to do but to exit. Then there is no exit code.
    expect([0, null]).toContain(await server.stop('SIGHUP'))
    expect(existsSync(ready)).toBe(false)
  })

  it('sends emails to an SMTP server, too', async () => {
    const sink = await startMailSink()
    const server = startServe(['--data', file('whole.json', whole), '--smtp', `127.0.0.1:${sink.port}`])
    const url = await origin(server)
    await fetch(`${url}/api/v1/collections/members/request-password-reset`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"email":"ann@example.com"}',
    })
    const mail = await sink.waitFor({ to: 'ann@example.com', timeout: 10_000 })
    expect(mail.text).toContain(`${url}/_/#/auth/confirm-password-reset/`)
    expect(await server.stop()).toBe(0)
    await sink.stop()
  })
})

describe('a command', { timeout: 40_000 }, () => {
  const script = file(
    'use.mjs',
    `const { BASE_URL, API_URL, CONTROL_URL, CONFORMANCE_SUPERUSER_TOKEN: authorization, API_KEY_READER: key } = process.env
    const status = async (path, token) => (await fetch(API_URL + path, { headers: { authorization: token } })).status
    console.log(JSON.stringify({
      url: BASE_URL,
      superuser: await status('/collections/_superusers/records', authorization),
      key: await status('/collections/posts/records', key),
      control: (await fetch(CONTROL_URL + '/clock')).status,
    }))
    process.exit(5)`,
  )

  it('finds the server in its environment; its output and its exit code are passed on', async () => {
    const use = `"${process.execPath}" "${script}"`
    const server = startServe(['--data', file('whole.json', whole), '--control', '--exec', use])
    expect(await server.ended).toBe(5)
    const said = JSON.parse(server.out())
    expect(said).toMatchObject({ superuser: 200, key: 200, control: 200 })
    await expect(fetch(said.url)).rejects.toThrow()
    expect(server.err()).toMatch(/reference at/)
  })

  it('may be the suite, which then needs no options', async () => {
    const server = startServe(['--exec', `"${process.execPath}" dist/cli/main.js --only list.page`])
    expect(await server.ended).toBe(0)
    const [, url = ''] = /reference at (http:\S+:\d+)/.exec(server.err()) ?? []
    expect(server.out()).toContain(`target ${url}`)
    expect(server.out()).not.toContain('embedded')
  })

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    'is stopped, and the server ends properly, when %s comes with the first output',
    async (signal, code) => {
      const server = startServe(['--no-console', '--exec', 'sleep 60'])
      server.child.stderr?.once('data', () => server.child.kill(signal))
      expect(await server.ended).toBe(code)
    },
  )

  it('receives the signal that stops the server', async () => {
    const server = startServe([
      '--exec',
      `exec "${process.execPath}" -e "console.log('up'); setTimeout(() => {}, 60000)"`,
    ])
    await server.says(/^up/m)
    expect(await server.stop('SIGTERM')).toBe(143)
  })
})

describe('a command that has started others', { timeout: 40_000 }, () => {
  const tells = `process.on('SIGINT', () => process.exit(42)); console.log('up'); setTimeout(() => {}, 60000)`
  it.each(['SIGTERM', 'SIGINT'] as const)('leaves none of them behind at %s', async (signal) => {
    const server = startServe(['--exec', `"${process.execPath}" -e "${tells}"; exit $?`])
    await server.says(/^up/m)
    // A process that is left behind holds our output open, and this would never come.
    expect(await server.stop(signal)).not.toBe(0)
  })

  it('receives Ctrl-C, and its own exit code is passed on', async () => {
    const server = startServe(['--exec', `exec "${process.execPath}" -e "${tells}"`])
    await server.says(/^up/m)
    expect(await server.stop('SIGINT')).toBe(42)
  })

  it('that does not exist ends with the exit code and the message of the shell', async () => {
    const server = startServe(['--exec', 'no-such-command-anywhere'])
    expect(await server.ended).toBe(127)
    expect(server.err()).toMatch(/no-such-command-anywhere.*not found/)
  })
})

describe('mistakes', { timeout: 40_000 }, () => {
  const broken = { tables: [{ name: 'posts', fields: [{ name: 'x', type: 'texxt' }] }] }
  it.each<[string, string[], RegExp]>([
    ['a file that is not there', ['--data', 'nowhere.json'], /cannot be read \(ENOENT\)[\s\S]*nowhere\.json/],
    [
      'a file that makes no sense',
      ['--data', file('text.json', '"text"')],
      /must be an array or an object, not a string/,
    ],
    [
      'a definition that does not fit',
      ['--data', file('type.json', broken)],
      /"posts"[\s\S]*texxt[\s\S]*docs\/serve\.md/,
    ],
    [
      'records that do not fit',
      ['--data', file('row.json', { tables: [], records: { _otps: [{ x: 1 }] } })],
      /_otps\[0\]/,
    ],
    ['a watch on nothing', ['--watch'], /needs a data file[\s\S]*--data FILE/],
    ['a time that is none', ['--clock', 'soon'], /must be a time such as/],
    ['an SMTP server without a port', ['--smtp', 'localhost'], /must be a host and a port/],
    ['a prefix that is no path', ['--prefix', 'api/'], /must be a path such as \/api\/v1/],
    ['a prefix that the console has', ['--prefix', '/_'], /path of the console/],
    [
      'a ready file in a folder that is not there',
      ['--ready-file', join(folder, 'nowhere/ready.json')],
      /the ready file cannot be written \(ENOENT\)[\s\S]*--ready-file .*nowhere/,
    ],
    [
      'a ready file that is something else',
      ['--ready-file', file('notes.yaml', 'my: notes')],
      /the ready file would overwrite an unrelated file[\s\S]*--ready-file .*notes\.yaml/,
    ],
    ['an unknown option', ['--wacth'], /did you mean --watch/i],
  ])('%s is exit code 2, and says what to do', async (_name, args, message) => {
    const { code, out, err } = await commandInProcess(['serve', ...args])
    expect(err).toMatch(message)
    expect([code, out]).toEqual([2, ''])
  })

  it('a port that is taken', async () => {
    const server = startServe([])
    const { port } = new URL(await origin(server))
    const second = startServe(['--port', port])
    expect(await second.ended).toBe(2)
    expect(second.err()).toMatch(/cannot listen \(EADDRINUSE\)[\s\S]*use another port/)
    await server.stop()
  })
})

it('shows its options', async () => {
  const { code, out } = await commandInProcess(['serve', '--help'])
  expect(code).toBe(0)
  expect(out).toMatchSnapshot()
})
