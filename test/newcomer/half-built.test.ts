/** The first minutes of a server: what a run says after each step of its author, when most operations do not exist yet. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { inSample } from '../../scripts/support/in-full.ts'
import { type BuildStep, type Mistake, startHalfBuiltServer } from '../support/half-built-server.ts'
import { ownStateFolder } from '../support/own-state-folder.ts'
import { conformance, runConformance } from '../support/run-here.ts'

const folder = ownStateFolder()

const ids = [
  'list.shape',
  'view.record',
  'create.persists',
  'update.applies',
  'delete.removes',
  'auth.password-sign-in',
]

async function start(step: BuildStep, mistake?: Mistake): Promise<string> {
  const server = await startHalfBuiltServer(step, mistake)
  onTestFinished(() => server.close())
  return server.url
}

/** What the run says of each of the requirements, and before the run. */
async function run(step: BuildStep, mistake?: Mistake) {
  const baseUrl = await start(step, mistake)
  // Short only where a request has to reach it: on a busy machine any request may.
  const timeout = mistake === 'patch-hangs' ? 2_000 : 30_000
  const report = await runConformance({ baseUrl, seed: 7, only: ids, timeout })
  const of = (status: string) =>
    report.findings.filter((each) => each.status === status).map(({ requirement }) => requirement)
  const { notes } = report.smoke
  return { passed: of('pass'), failed: of('fail'), notes, exitCode: report.verdict.exitCode }
}

/** What a run finds after each step: the mapping of its tables, what passes, and what fails. */
const steps: [BuildStep, string, string[], string[]][] = [
  ['list', 'uses plain ← notes', ['list.shape'], []],
  ['view', 'uses plain ← notes', ['list.shape'], []],
  [
    'create',
    'uses plain ← notes, members ← users',
    ['create.persists', 'list.shape', 'view.record'],
    ['auth.password-sign-in', 'delete.removes', 'update.applies'],
  ],
  [
    'update',
    'uses plain ← notes, members ← users',
    ['create.persists', 'list.shape', 'update.applies', 'view.record'],
    ['auth.password-sign-in', 'delete.removes'],
  ],
  [
    'delete',
    'uses plain ← notes, members ← users',
    ['create.persists', 'delete.removes', 'list.shape', 'update.applies', 'view.record'],
    ['auth.password-sign-in'],
  ],
  ['sign-in', 'uses plain ← notes, members ← users', [...ids].sort(), []],
]

describe('a server that is not complete', { timeout: 120_000 }, () => {
  it.each(steps.filter(inSample(3, 2)))(
    'is judged after the step "%s"',
    async (step, mapping, passes, fails) => {
      const { passed, failed, notes } = await run(step)
      expect({ passed: passed.sort(), failed: failed.sort() }).toEqual({ passed: passes, failed: fails })
      expect(notes).toContain(mapping)
    },
  )

  it('says what is missing, and how to go on if it is only closed', async () => {
    const { notes } = await run('create')
    expect(notes).toContainEqual(
      expect.stringMatching(
        /^update and delete of records of notes do not exist, or are closed to guests, .*"signIn": { "table": "users"/,
      ),
    )
    expect(notes).toContainEqual(
      expect.stringMatching(/^guests may sign up in users, but password sign-in does not exist/),
    )
    expect(notes).toContainEqual(
      expect.stringMatching(/^the server has no batch, listAuthMethods, authWithPassword, /),
    )
  })

  it('says that nothing can be created', async () => {
    const { notes } = await run('view')
    expect(notes).toContainEqual(expect.stringMatching(/^create does not exist, or is closed to guests: /))
  })

  const failures: [Mistake, RegExp][] = [
    ['patch-drops', /^the server fails to update a record \(/],
    ['patch-hangs', /^the server fails to update a record \(no complete response within the time limit/],
  ]
  it.each(failures.filter(inSample(2)))('keeps its tables where %s', async (mistake, note) => {
    const { failed, notes } = await run('sign-in', mistake)
    expect(failed).toEqual(['update.applies'])
    expect(notes).toContain('uses plain ← notes, members ← users')
    expect(notes).toContainEqual(expect.stringMatching(note))
  })

  it('names the form of a list, where sign-in shows that the tables are there', async () => {
    const { failed, notes } = await run('sign-in', 'list-data')
    expect(notes).toContain('found the tables users (auth table), notes')
    expect(notes).toContain(
      '/api/v1/collections/users/records returned 200 with a JSON body that has no list in `items`: a list is a JSON object with its records in `items` (document, section 2.4)',
    )
    expect(failed).toContain('list.shape')
  })

  it('names the form of a list, where nothing else shows that the tables are there', async () => {
    await expect(run('delete', 'list-array')).rejects.toMatchObject({
      fact: expect.stringContaining('returned 200 with a JSON body that has no list in `items`'),
      next: 'a list is a JSON object with its records in `items` (document, section 2.4)',
    })
  })

  it('is explored where the target file names no table', async () => {
    const baseUrl = await start('sign-in')
    const target = join(folder, 'declared.json')
    writeFileSync(
      target,
      JSON.stringify({ baseUrl, operations: { authWithOAuth2: false }, tables: { related: false } }),
    )
    const { smoke, findings } = await runConformance({
      target,
      seed: 7,
      only: ['list.shape', 'operation.auth-with-oauth2'],
    })
    expect(smoke.notes).toContain('uses plain ← notes, members ← users')
    expect(smoke.notes.find((note) => note.startsWith('the server has no '))).not.toContain('authWithOAuth2')
    expect(findings).toContainEqual(expect.objectContaining({ requirement: 'list.shape', status: 'pass' }))
    expect(findings).toContainEqual(
      expect.objectContaining({ requirement: 'operation.auth-with-oauth2', status: 'not-applicable' }),
    )
  })

  it('is not mapped to a base table for accounts', async () => {
    const baseUrl = await start('sign-in')
    const target = join(folder, 'base-table.json')
    writeFileSync(
      target,
      JSON.stringify({ baseUrl, tables: { plain: { name: 'notes' }, members: { name: 'notes' } } }),
    )
    await expect(runConformance({ target, seed: 7, only: ids })).rejects.toMatchObject({
      fact: 'the auth-methods of notes are rejected (404): it is not an auth table',
      next: 'did you mean "users"?',
    })
  })

  it('gives a reason with --quiet, where nothing could be judged', async () => {
    const baseUrl = await start('sign-in')
    const target = join(folder, 'no-plain.json')
    writeFileSync(target, JSON.stringify({ baseUrl, tables: { plain: { name: 'users' } } }))
    const { out } = await conformance(['--target', target, '--quiet', '--only', 'update.applies'])
    expect(out).toMatch(/a record for the check could not be created in users: 400/)
  })

  it('is marked by the doctor where it is not as it should be', async () => {
    const baseUrl = await start('create')
    const { out } = await conformance(['doctor', '--base-url', baseUrl])
    expect(out).toMatch(/✓ uses plain ← notes, members ← users/)
    expect(out).toMatch(/! update and delete of records of notes do not exist/)
    expect(out).toMatch(/! the server has no batch/)
  })
})

it.each([
  [
    'an address without http://',
    'baseUrl: 127.0.0.1:8213',
    'use a complete URL, such as http://127.0.0.1:8213',
  ],
  [
    'a name instead of a table',
    'baseUrl: http://127.0.0.1:8213\ntables: { plain: notes }',
    'use plain: { name: notes }',
  ],
])('shows what to write instead of %s', async (_, text, next) => {
  const target = join(folder, 'mistake.yaml')
  writeFileSync(target, text)
  await expect(runConformance({ target })).rejects.toMatchObject({ next })
})
