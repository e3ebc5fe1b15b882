/** A run that is given an address and nothing else, against a small server that was not made for the suite. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Finding } from '../../harness/vocabulary/finding.ts'
import { inFull, inSample } from '../../scripts/support/in-full.ts'
import { ownStateFolder } from '../support/own-state-folder.ts'
import { runConformance } from '../support/run-here.ts'
import {
  type SmallServer,
  type SmallServerOptions,
  startSmallServer,
  superuserToken,
} from '../support/small-server.ts'

const folder = ownStateFolder()

let server: SmallServer
afterEach(() => server.close())

/** Of the other servers, `npm test` looks at some requirements. */
const most = inFull ? ['stated', 'implied'] : ['create', 'list.shape', 'list.total-pages', 'auth-record']

/** For cases that another test of this file is close to. */
const topics = ['create', 'view', 'update', 'delete', 'record', 'list.page*', 'list.total*', 'auth-record']
const inFullOnly = it.runIf(inFull)

async function run(options: SmallServerOptions, only: string[] | undefined) {
  server = await startSmallServer(options)
  return runConformance({ baseUrl: server.url, seed: 7, only, runs: inFull ? 1 : 0.1 })
}

describe('the address alone', { timeout: 300_000 }, () => {
  it('is enough for 90 requirements of the document, and leaves what was there', async () => {
    const { smoke, verdict, leftovers } = await run({}, inFull ? ['stated', 'implied'] : topics)
    expect(smoke.notes).toEqual(
      expect.arrayContaining([
        'found the tables users (auth table), notes',
        'uses plain ← notes, members ← users',
        'guests may list, create, view, update and delete records of notes',
        'guests may sign up in users; an account may view, update and delete itself',
        expect.stringMatching(/^the server has no authWithOAuth2, requestOtp, .* and confirmEmailChange: /),
      ]),
    )
    expect(verdict.document.passed).toBeGreaterThanOrEqual(inFull ? 90 : 30)
    expect(leftovers).toEqual([])
    expect(server.count()).toBe(2)
  })

  inFullOnly('finds a prefix, fields with other names, and the way into empty tables', async () => {
    const { smoke, verdict } = await run(
      {
        prefix: '/api',
        names: { notes: 'articles', users: 'people' },
        fields: { slug: 'a-b-c', body: 'Some words' },
        filled: false,
      },
      ['create.persists', 'auth.password-sign-in'],
    )
    expect(smoke.notes).toEqual(
      expect.arrayContaining([
        'the path prefix is /api; the document says /api/v1',
        'uses plain ← articles (title ← body), members ← people',
      ]),
    )
    expect(verdict.document).toMatchObject({ passed: 2, failed: 0 })
    expect(server.count()).toBe(0)
  })

  inFullOnly('finds how lists are requested, and which table is not for accounts', async () => {
    const { smoke, verdict } = await run(
      { lists: 'own', methodsOfNotes: true, names: { notes: 'posts', users: 'members' }, filled: false },
      ['list.filter-narrows', 'list.paginated', 'list.sort-orders'],
    )
    expect(smoke.notes).toEqual(
      expect.arrayContaining([
        'found the tables posts, members (auth table)',
        'uses plain ← posts, members ← members',
        'lists take other parameters than those of the profile, and the run uses them: "binding": {"list.perPage":"limit","list.filter":"","filter.equals":"{field}={value}","list.sort":"orderBy","sort.ascending":"{field}","sort.descending":"-{field}"}',
      ]),
    )
    expect(verdict.document).toMatchObject({ failed: 0 })
    expect(verdict.document.passed).toBeGreaterThanOrEqual(3)
    expect(server.count()).toBe(0)
  })

  it('requests lists without a filter where there is no table in which its form can be tried', async () => {
    const { verdict } = await run({ closed: 'superuser' }, ['auth-record.record-endpoints'])
    expect(verdict.document).toMatchObject({ passed: 1, failed: 0 })
    const lists = server.log.filter((line) => /^GET \S+\/users\/records\?/.test(line))
    expect(lists.filter((line) => line.includes('filter'))).toEqual([])
  })

  const directed: [SmallServerOptions['lists'], string, string][] = [
    ['unfiltered', 'a filter', 'list.filter-narrows'],
    ['foreign', 'an order', 'list.sort-orders'],
    ['directed', 'an order', 'list.sort-orders'],
  ]
  it.each(directed.filter(inSample(4, 1)))(
    'accuses no server with %s lists, if no usual form of %s has an effect',
    async (lists, part, id) => {
      const { smoke, findings } = await run({ lists }, inFull ? ['stated', 'implied'] : ['list.*', id])
      expect(smoke.notes).toContainEqual(expect.stringContaining(`no usual form of ${part} has an effect: `))
      const failed = findings.filter(({ status }) => status === 'fail').map(({ requirement }) => requirement)
      expect(failed.filter((each) => !each.startsWith('operation.'))).toEqual([])
      expect(findings).toContainEqual(
        expect.objectContaining({
          requirement: id,
          status: 'untestable',
          hint: expect.stringContaining('under "binding" in a target file'),
        }),
      )
      expect(server.count()).toBe(2)
    },
  )

  const failedOf = (findings: readonly Finding[]) =>
    findings
      .filter(({ status }) => status === 'fail')
      .map(({ requirement }) => requirement)
      .filter((requirement) => !requirement.startsWith('operation.'))

  inFullOnly('accuses no server whose pages are called something that no one can guess', async () => {
    const ids = ['list.*', 'create.only-one', 'update.missing-refused', 'batch.succeeds-together']
    const { smoke, findings } = await run({ lists: 'unpaged' }, inFull ? ['stated', 'implied'] : ids)
    expect(smoke.notes).toContainEqual(
      expect.stringContaining('no usual form of a page number has an effect: '),
    )
    expect(failedOf(findings)).toEqual([])
    expect(findings).toContainEqual(
      expect.objectContaining({
        requirement: 'list.page',
        status: 'untestable',
        hint: expect.stringContaining('set "list.page" under "binding" in a target file'),
      }),
    )
    expect(server.count()).toBe(2)
  })

  inFullOnly('accuses no server where only verified accounts sign in', async () => {
    const ids = ['auth.password-sign-in', 'auth.response-*', 'auth.own-password-only', 'mfa.off']
    const { findings, leftovers } = await run({ verifiedOnly: true }, inFull ? ['stated', 'implied'] : ids)
    expect(failedOf(findings)).toEqual([])
    expect(findings).toContainEqual(
      expect.objectContaining({
        requirement: 'auth.password-sign-in',
        status: 'untestable',
        message: expect.stringContaining('403 {"ok":false,"error":"verify_your_address"}'),
        hint: expect.stringMatching(
          /^set CONFORMANCE_SUPERUSER_TOKEN, .*: a superuser verifies the accounts$/,
        ),
      }),
    )
    // One account shows that no one can sign in to it, and stays.
    expect(leftovers.length).toBeLessThanOrEqual(1)
  })

  it.each(inFull ? [false, true] : [true])(
    'signs up one account where none can be deleted (without records: %s)',
    async (returnsNoRecord) => {
      const { smoke, findings, leftovers } = await run({ keepsAccounts: true, returnsNoRecord }, most)
      expect(smoke.notes).toContain(
        'guests may sign up in users; an account may view and update itself, and its delete is rejected (403 {"ok":false,"error":"accounts_are_kept"}): no one could delete the accounts of the checks',
      )
      expect(failedOf(findings)).toEqual([])
      expect(findings).toContainEqual(
        expect.objectContaining({
          requirement: 'auth-record.email',
          status: 'untestable',
          message:
            'an account of users may not delete itself (403 {"ok":false,"error":"accounts_are_kept"}), so no one could delete the accounts of the checks',
          hint: expect.stringMatching(
            /^set CONFORMANCE_SUPERUSER_TOKEN, .*: a superuser deletes the accounts$/,
          ),
        }),
      )
      expect(leftovers).toMatchObject([{ table: 'users' }])
      expect(server.count()).toBe(3)
    },
  )

  it('finds and deletes what was created if no create returns a record', async () => {
    // Some of them create several accounts, a text that is too long to search for, or by the identifier of the table.
    const ids = ['auth.own-password-only', 'create', 'record.id']
    const { smoke, findings, leftovers } = await run(
      { returnsNoRecord: true },
      inFull ? ['stated', 'implied'] : ids,
    )
    expect(smoke.notes).toContain('guests may list, create, view, update and delete records of notes')
    expect(failedOf(findings)).toEqual([])
    expect(leftovers).toEqual([])
    expect(server.count()).toBe(2)
  })

  it('sees that a batch changes no account', async () => {
    const { findings, leftovers } = await run({ idleBatch: true }, ['auth-record.record-endpoints'])
    expect(findings).toMatchObject([
      { status: 'fail', message: 'a batch that is accepted updates nothing in users' },
    ])
    expect(leftovers).toEqual([])
  })

  it('finds a text that can be changed, and says so if there is none', async () => {
    const fields = { title: 'A title', body: 'Some words' }
    const { smoke, findings, leftovers } = await run({ fields, fixed: ['title'] }, ['update.applies'])
    expect(smoke.notes).toContain('uses plain ← notes (title ← body), members ← users')
    expect(findings).toMatchObject([{ requirement: 'update.applies', status: 'pass' }])
    expect(leftovers).toEqual([])
    expect(server.count()).toBe(2)
    server.close()
    const { smoke: without } = await run({ fields, fixed: ['title', 'body'] }, ['list.shape'])
    expect(without.notes).toContainEqual(
      expect.stringMatching(
        /^an update of "title" is rejected \(400 {"ok":false,"error":"cannot_be_changed"}\), and no other text field of notes /,
      ),
    )
    expect(server.count()).toBe(2)
  })

  inFullOnly('finds a text that two records may share, and says when there is none', async () => {
    const fields = { slug: 'a-b-c', title: 'A title', body: 'Some words' }
    const first = await run({ fields, unique: ['title'] }, ['list.items'])
    expect(first.smoke.notes).toContain('uses plain ← notes (title ← body), members ← users')
    expect(first.findings).toMatchObject([{ status: 'pass' }])
    expect(first.leftovers).toEqual([])
    await server.close()
    const second = await run({ fields, unique: Object.keys(fields) }, ['list.shape'])
    expect(second.smoke.notes).toContainEqual(
      expect.stringMatching(/^a second record of notes with the same "title" is rejected \(409 /),
    )
    expect(second.leftovers).toEqual([])
  })

  inFullOnly('finds the text of a table whose first record shows its fields', async () => {
    const { smoke, findings } = await run({ ignoresUnknown: true, fields: { body: '' }, filled: false }, [
      'create.persists',
    ])
    expect(smoke.notes).toContain('uses plain ← notes (title ← body), members ← users')
    expect(findings).toMatchObject([{ requirement: 'create.persists', status: 'pass' }])
  })

  it.each(inFull ? ['create.persists', 'batch.succeeds-together', 'list.paginated'] : ['create.persists'])(
    'signs up where guests may not write, for %s',
    async (id) => {
      const { smoke, findings, leftovers } = await run({ closed: true }, [id])
      expect(smoke.notes).toContain(
        'notes is closed to guests: their requests to it are sent as an account that the run signs up in users',
      )
      expect(findings).toMatchObject([{ requirement: id, status: 'pass' }])
      expect(leftovers).toEqual([])
      expect(server.count()).toBe(2)
    },
  )

  inFullOnly('signs up where guests may not even read', async () => {
    const { smoke, verdict, leftovers } = await run({ closed: 'lists' }, most)
    expect(smoke.notes).toEqual(
      expect.arrayContaining([
        'found the tables users (auth table), notes (closed to guests)',
        'guests may not, but accounts may list, create, view, update and delete records of notes',
        'uses plain ← notes, members ← users',
      ]),
    )
    expect(verdict.document.passed).toBeGreaterThanOrEqual(inFull ? 90 : 10)
    expect(leftovers).toEqual([])
    expect(server.count()).toBe(2)
  })

  it.each(['displayName', 'phone'].filter(inSample(2)))(
    'finds the text %s that an account may change',
    async (accountText) => {
      const ids = ['auth-record.record-endpoints', 'refresh.same-record']
      const { smoke, findings } = await run({ accountText }, ids)
      expect(smoke.notes).toContain(`uses plain ← notes, members ← users (name ← ${accountText})`)
      expect(findings.map(({ status }) => status)).toEqual(['pass', 'pass'])
      expect(server.count()).toBe(2)
    },
  )

  inFullOnly('leaves nothing where only an account may read, and creates return no record', async () => {
    const options = { closed: 'lists', returnsNoRecord: true } as const
    const { leftovers } = await run(options, ['create.persists', 'batch.succeeds-together'])
    expect(leftovers).toEqual([])
    expect(server.count()).toBe(2)
  })

  it('asks for the names of tables where a superuser is known and no usual name exists', async () => {
    vi.stubEnv('CONFORMANCE_SUPERUSER_TOKEN', superuserToken)
    onTestFinished(() => void vi.stubEnv('CONFORMANCE_SUPERUSER_TOKEN', ''))
    const names = { notes: 'Zettelkasten', users: 'Leute' }
    await expect(run({ names }, ['record.id'])).rejects.toMatchObject({
      next: expect.stringMatching(/^name your tables with --table NAME/),
    })
  })

  inFullOnly('uses the token of a superuser where accounts may not, either', async () => {
    vi.stubEnv('CONFORMANCE_SUPERUSER_TOKEN', superuserToken)
    const { smoke, findings, leftovers } = await run({ closed: 'superuser' }, ['update.applies'])
    vi.stubEnv('CONFORMANCE_SUPERUSER_TOKEN', '')
    expect(smoke.notes).toContain('notes is closed to guests: their requests to it are sent as the superuser')
    expect(smoke.notes).not.toContainEqual(expect.stringContaining('no response shows that the superuser'))
    expect(findings).toMatchObject([{ status: 'pass' }])
    expect(leftovers).toEqual([])
    expect(server.count()).toBe(2)
  })

  it('names the lines for an account that exists if no one can sign up, and they are enough', async () => {
    const only = ['record.id', 'auth.password-sign-in']
    const { smoke, findings } = await run({ closed: true, noSignUps: true }, only)
    const line =
      '"tables": { "plain": { "name": "notes", "as": "caller" } }, "credentials": { "caller": { "signIn": { "table": "users", "identity": "<email>", "passwordEnv": "CALLER_PASSWORD" } } }'
    expect(smoke.notes).toContain(
      `notes is closed to guests (create with 401), but the role "plain" must be open to them: requirements that need it are not judged; to use an account that exists: target file: ${line}`,
    )
    expect(smoke.notes).toContainEqual(
      expect.stringMatching(
        /^users is closed to guests .* the superuser can create them: set CONFORMANCE_SUPER/,
      ),
    )
    expect(findings.find(({ requirement }) => requirement === 'record.id')).toMatchObject({
      status: 'untestable',
      hint: `target file: ${line}`,
    })
    expect(smoke.unlocks).toContainEqual({ line: `target file: ${line}`, checks: 1 })

    const target = join(folder, 'existing-account.json')
    const lines = JSON.parse(`{ ${line.replace('<email>', 'first@example.com')} }`)
    writeFileSync(target, JSON.stringify({ baseUrl: server.url, ...lines }))
    vi.stubEnv('CALLER_PASSWORD', 'the first password')
    const named = await runConformance({ target, seed: 7, only: ['record.id'] })
    vi.stubEnv('CALLER_PASSWORD', '')
    expect(named.findings).toMatchObject([{ requirement: 'record.id', status: 'pass' }])
    expect(server.count()).toBe(2)
  })

  it('signs up one account where a password needs a second factor, and says so', async () => {
    const { smoke, findings } = await run({ secondFactor: true }, ['auth.password-sign-in', 'record.id'])
    expect(smoke.notes).toContainEqual(
      expect.stringMatching(/^users needs a second factor after the password \(401 /),
    )
    expect(findings).toMatchObject([
      { status: 'untestable', message: expect.stringMatching(/^users needs a second factor/) },
      { requirement: 'record.id', status: 'pass' },
    ])
    expect(server.log.filter((line) => line === 'POST /api/v1/collections/users/records')).toHaveLength(1)
  })

  inFullOnly('takes a table without passwords for what it is, and signs up one account there', async () => {
    const { smoke, findings } = await run({ codesOnly: true }, ['auth.password-sign-in', 'record.id'])
    expect(smoke.notes).toEqual(
      expect.arrayContaining([
        'uses plain ← notes, passwordless ← users',
        expect.stringMatching(/^users reports no sign-in by password, and rejects it \(403 /),
      ]),
    )
    expect(findings).toMatchObject([
      {
        status: 'untestable',
        message: expect.stringMatching(/^users reports no sign-in by password/),
        hint: expect.stringContaining('"passwordless": { "name": "users" }'),
      },
      { requirement: 'record.id', status: 'pass' },
    ])
    // One each that was there, and the account that no one could delete.
    expect(server.count()).toBe(3)
  })

  inFullOnly('lets the superuser create accounts if no one can sign up, and says so', async () => {
    vi.stubEnv('CONFORMANCE_SUPERUSER_TOKEN', superuserToken)
    const { smoke, findings } = await run({ noSignUps: true }, ['auth.password-sign-in'])
    vi.stubEnv('CONFORMANCE_SUPERUSER_TOKEN', '')
    expect(smoke.notes).toContainEqual(
      expect.stringMatching(
        /^users rejects a sign-up .*: the superuser creates the accounts that the checks need$/,
      ),
    )
    expect(smoke.notes.filter((note) => note.includes('need an account cannot run'))).toEqual([])
    expect(findings).toMatchObject([{ status: 'pass' }])
    expect(server.count()).toBe(2)
  })

  it('only reads if that is requested', async () => {
    server = await startSmallServer()
    const { smoke } = await runConformance({ baseUrl: server.url, readOnly: true, only: ['list'] })
    expect(smoke.notes).toContain('uses plain ← notes, members ← users')
    expect(server.log.filter((line) => !line.startsWith('GET '))).toEqual([])
  })

  it('counts every request, and how many of a read-only run were sign-ins', async () => {
    server = await startSmallServer()
    vi.stubEnv('CONFORMANCE_SUPERUSER_IDENTITY', 'root@example.com')
    vi.stubEnv('CONFORMANCE_SUPERUSER_PASSWORD', 'not of this server')
    const rejected = runConformance({ baseUrl: server.url, readOnly: true, only: ['view'], maxRequests: 80 })
    const { requests, sent } = await rejected
    vi.stubEnv('CONFORMANCE_SUPERUSER_IDENTITY', '')
    vi.stubEnv('CONFORMANCE_SUPERUSER_PASSWORD', '')
    const signIns = server.log.filter((line) => line.startsWith('POST ')).length
    expect([requests, sent]).toEqual([
      server.log.length,
      { reads: server.log.length - signIns, signIns, writes: 0 },
    ])
    expect(signIns).toBeGreaterThan(0)
  })

  inFullOnly('counts every request of a run that writes', async () => {
    const { requests, sent } = await run({}, ['view', 'auth.password-sign-in'])
    const reads = server.log.filter((line) => line.startsWith('GET ')).length
    expect([requests, sent?.reads]).toEqual([server.log.length, reads])
  })

  it.each(inFull ? [10, 170] : [170])(
    'sends no more than %i requests before the checks, and says why it ended',
    async (most) => {
      server = await startSmallServer()
      const { verdict, requests, findings } = await runConformance({ baseUrl: server.url, maxRequests: most })
      expect(findings).toEqual([])
      expect(requests).toBe(server.log.length)
      expect(requests).toBeLessThan(most + 20)
      expect([verdict.exitCode, verdict.lines.at(-1)]).toEqual([
        3,
        `incomplete: the limit of ${most} requests (--max-requests) was reached before the first check: exploring the server took all of it. Use a higher limit, or save what \`conformance init --base-url ${server.url}\` finds in a target file: a run with it explores less`,
      ])
      expect(server.count()).toBe(2)
    },
  )
})
