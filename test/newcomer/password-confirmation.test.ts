/** Servers that take the second password of a sign-up under a name of their own, or reject one: the run finds the name. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { inSample } from '../../scripts/support/in-full.ts'
import type { TableDefinition } from '../../spec/table-definition.ts'
import { runBy } from '../support/blog.ts'
import { copyOf, type Front, startFronted } from '../support/fronted-reference.ts'
import { openRules, stamps } from '../support/open-rules.ts'
import { ownStateFolder } from '../support/own-state-folder.ts'
import { conformance, runConformance } from '../support/run-here.ts'

const folder = ownStateFolder()

const own = 'id = @request.auth.id'
const signedIn = '@request.auth.id != ""'
const tables: TableDefinition[] = [
  {
    name: 'people',
    type: 'auth',
    ...openRules,
    updateRule: own,
    deleteRule: own,
    fields: [{ name: 'name', type: 'text', required: true }, ...stamps],
  },
  {
    name: 'notes',
    type: 'base',
    listRule: signedIn,
    viewRule: signedIn,
    createRule: signedIn,
    updateRule: signedIn,
    deleteRule: signedIn,
    fields: [{ name: 'title', type: 'text' }, ...stamps],
  },
]
const root = { email: 'root@example.com', password: 'of the superuser' }
const checks = ['record.id', 'auth.response-token', 'auth.password-wrong']

type Body = Record<string, unknown>

/** Changes the sign-ups that the reference receives; what `rejects` returns is the response to one. */
const signUps =
  (rejects: (body: Body) => unknown, name?: string): Front =>
  async (request, next) => {
    if (request.method !== 'POST' || !request.url.endsWith('/people/records')) return next(request)
    const body = (await request.clone().json()) as Body
    const problem = rejects(body)
    if (problem !== undefined) return Response.json(problem, { status: 422 })
    const { [name ?? 'password']: repeated, ...others } = body
    const { password } = body
    const text = JSON.stringify({ ...others, password, passwordConfirm: repeated })
    return next(
      new Request((await copyOf(request, {})).url, { method: 'POST', headers: request.headers, body: text }),
    )
  }

const confirmed = (name: string, problem: unknown) =>
  signUps((body) => (body[name] === body.password ? undefined : problem), name)
const forbids = (problem: unknown) => signUps((body) => ('passwordConfirm' in body ? problem : undefined))
const laravel = {
  message: 'The given data was invalid.',
  errors: { password: ['The password confirmation does not match.'] },
}
const pydantic = {
  detail: [
    { loc: ['body', 'passwordConfirm'], msg: 'extra fields not permitted', type: 'value_error.extra' },
  ],
}

async function start(front: Front, definitions = tables, superusers: (typeof root)[] = []) {
  const server = await startFronted({ tables: definitions, superusers }, front)
  onTestFinished(() => server.close())
  return server.url
}

const servers: [string, Front, string][] = [
  ['Laravel', confirmed('password_confirmation', laravel), 'password_confirmation'],
  [
    'Rails',
    confirmed('password_confirmation', { errors: ["Password confirmation doesn't match Password"] }),
    'password_confirmation',
  ],
  ['a sentence', confirmed('password2', { error: 'Please repeat the password.' }), 'password2'],
  [
    'its own name',
    confirmed('passwordAgain', { errors: { passwordAgain: ['passwordAgain is required'] } }),
    'passwordAgain',
  ],
  ['pydantic', forbids(pydantic), ''],
  ['Go', forbids({ error: 'json: unknown field "passwordConfirm"' }), ''],
  [
    'NestJS',
    forbids({ statusCode: 422, message: ['property passwordConfirm should not exist'], error: 'x' }),
    '',
  ],
  [
    'one problem at a time',
    signUps((body) => {
      const unknown = Object.keys(body).find((key) => /conf|2/.test(key) && key !== 'confirmPassword')
      if (unknown !== undefined) return { error: `unknown key ${unknown}` }
      return 'confirmPassword' in body ? undefined : { error: 'The password must be confirmed' }
    }, 'confirmPassword'),
    'confirmPassword',
  ],
]
it.each(servers.filter(inSample(4)))(
  'finds what a sign-up calls the second password: %s',
  async (_, front, name) => {
    const { statuses, notes, leftovers } = await runBy(await start(front), checks)
    const how = name === '' ? 'the password once' : `the password again as "${name}"`
    expect(notes).toContainEqual(
      expect.stringContaining(
        `guests may sign up in people, with ${how} ("binding": { "signUp.passwordConfirm": "${name}" })`,
      ),
    )
    expect(new Set(Object.values(statuses))).toEqual(new Set(['pass']))
    expect(leftovers).toEqual([])
  },
)

it('finds it where only a superuser creates accounts, and a strict server knows few keys', async () => {
  const front = signUps((body) => {
    const unknown = Object.keys(body).find((key) => !['email', 'name', 'password'].includes(key))
    return unknown === undefined ? undefined : { error: `json: unknown field "${unknown}"` }
  })
  const closed = tables.map((each) => (each.type === 'auth' ? { ...each, createRule: null } : each))
  const url = await start(front, closed, [root])
  vi.stubEnv('CONFORMANCE_SUPERUSER_IDENTITY', root.email)
  vi.stubEnv('CONFORMANCE_SUPERUSER_PASSWORD', root.password)
  onTestFinished(() => void vi.unstubAllEnvs())
  const { statuses, leftovers } = await runBy(url, checks)
  expect(new Set(Object.values(statuses))).toEqual(new Set(['pass']))
  expect(leftovers).toEqual([])
})

it('writes the name into a target file', async () => {
  const url = await start(confirmed('password_confirmation', laravel))
  const output = join(folder, 'written.yaml')
  await conformance(['init', '--base-url', url, '--output', output])
  expect(readFileSync(output, 'utf8')).toContain('signUp.passwordConfirm: password_confirmation')
})

it.each([
  ['', forbids(pydantic)],
  ['password_confirmation', confirmed('password_confirmation', laravel)],
])('says which line of a target file is missing: %j', async (name, front) => {
  const line = `"binding": { "signUp.passwordConfirm": ${JSON.stringify(name)} }`
  const target = join(folder, `target-${name}.json`)
  const members = { name: 'people', values: { name: 'Ann' } }
  const baseUrl = await start(front)
  writeFileSync(target, JSON.stringify({ baseUrl, tables: { members } }))
  const only = ['auth.response-token']
  const { findings } = await runConformance({ target, seed: 7, only })
  expect(findings).toMatchObject([{ status: 'blocked', message: expect.stringContaining(line) }])
  // An account that stands in for guests is created before the checks: then the run knows the name.
  const plain = { name: 'notes', as: 'account' }
  writeFileSync(target, JSON.stringify({ baseUrl, tables: { members, plain } }))
  const { findings: all, smoke } = await runConformance({ target, seed: 7, only: [...only, 'record.id'] })
  expect(smoke.notes).toContainEqual(expect.stringContaining(line))
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set(['pass']))
})

it('says in a doctor which line is missing, where an email would need an account', async () => {
  const baseUrl = await start(forbids(pydantic))
  const target = join(folder, 'doctor.json')
  const hook = 'mailbox.mjs'
  writeFileSync(join(folder, hook), 'export const mailbox = () => ({ count: 0, mails: [] })')
  const members = { name: 'people', values: { name: 'Ann' } }
  writeFileSync(target, JSON.stringify({ baseUrl, tables: { members }, hooks: { mailbox: `./${hook}` } }))
  const { out } = await conformance(['doctor', '--target', target])
  expect(out).toMatch(/mail: not tested, .*"binding": \{ "signUp.passwordConfirm": "" \}/)
})
