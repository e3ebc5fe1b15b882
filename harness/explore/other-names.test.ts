import { json } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { standardBinding } from '../../spec/gaps.ts'
import { startTestServer } from '../../test/support/test-server.ts'
import { createSession } from '../session/create-session.ts'
import { otherNames, otherNamesNote } from './other-names.ts'

/** What each action requires. */
type Required = Readonly<Record<string, readonly string[]>>

/** @param says what an error response says of missing fields */
async function namesOf(
  required: Required,
  says: (missing: readonly string[]) => unknown,
  { readOnly = false, named = [] as string[], binding = {} as Record<string, string> } = {},
) {
  const sent: { action: string; body: Record<string, unknown> }[] = []
  const server = await startTestServer(async (request, response) => {
    const [, table = '', action = ''] = /collections\/([^/]+)\/([^/?]+)/.exec(request.url ?? '') ?? []
    const body = (await json(request).catch(() => ({}))) as Record<string, unknown>
    sent.push({ action, body })
    const missing = (required[action] ?? []).filter((name) => !(name in body))
    const status = table === 'people' && action in required ? 400 : 404
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(missing.length === 0 ? { error: 'wrong' } : says(missing)))
  })
  onTestFinished(() => server.close())
  const session = createSession(
    {
      baseUrl: server.url,
      binding: { ...standardBinding(), ...binding },
      named,
      capabilities: {},
      tables: { members: { role: 'members', name: 'staff' }, otp: { role: 'named', name: 'people' } },
      credentials: {},
    },
    { requirements: new Map() },
    { seed: 1, readOnly },
  )
  onTestFinished(() => session.close())
  return { names: await otherNames(session, undefined), sent }
}

const theirs: Required = {
  'auth-with-otp': ['otp_id', 'code'],
  'confirm-verification': ['verification_code'],
  'confirm-password-reset': ['verification_code', 'new_password'],
  'confirm-email-change': ['verification_code', 'password'],
}
const suggestions = [
  { 'otp.id': 'otp_id', 'otp.code': 'code' },
  { 'flow.token': 'verification_code' },
  { 'passwordReset.password': 'new_password' },
]

it.each<[string, (missing: readonly string[]) => unknown]>([
  [
    'all missing fields',
    (missing) => ({ errors: Object.fromEntries(missing.map((name) => [name, 'required'])) }),
  ],
  ['one missing field at a time', ([first]) => ({ message: `"${first}" is required` })],
])('names the bindings for a server that names %s', async (_, says) => {
  const { names } = await namesOf(theirs, says)
  expect(names.map(({ suggested }) => suggested)).toEqual(suggestions)
  expect(names.map(otherNamesNote)[1]).toBe(
    'confirm-verification names "verification_code" in an error response, which the run does not send: if the request needs it, add "binding": { "flow.token": "verification_code" }',
  )
})

it('names a binding for each flow where they have different names for the proof', async () => {
  const { names } = await namesOf(
    {
      'confirm-verification': ['uid', 'token'],
      'confirm-password-reset': ['uid', 'token', 'password', 'passwordConfirm'],
      'confirm-email-change': ['key', 'password'],
    },
    (missing) => ({ errors: Object.fromEntries(missing.map((name) => [name, 'required'])) }),
  )
  expect(names.map(({ suggested }) => suggested)).toEqual([{ 'emailChange.token': 'key' }])
})

it('has no other meaning for a name that the target file sets', async () => {
  const binding = { 'passwordReset.password': 'secret', 'passwordReset.passwordConfirm': '' }
  const target = { named: Object.keys(binding), binding }
  const names = { 'confirm-password-reset': ['hint', 'token', 'secret'] }
  const found = await namesOf(names, ([first]) => ({ message: `"${first}" is required` }), target)
  expect(found.names.map(({ named, suggested }) => [named, suggested])).toEqual([[['hint'], {}]])
})

it('says nothing of the names that the run sends', async () => {
  const ours = {
    'auth-with-otp': ['otpId', 'password'],
    'confirm-verification': ['token'],
    'confirm-password-reset': ['token', 'password', 'passwordConfirm'],
  }
  const { names } = await namesOf(ours, (missing) => ({
    fields: missing.map((name) => ({ name, field: name })),
  }))
  expect(names).toEqual([])
})

it('names the keys of a body that the binding has no name for', async () => {
  const { names } = await namesOf({ 'request-otp': ['email', 'channel'] }, (missing) => ({
    errors: missing.map((field) => ({ field, message: 'required' })),
  }))
  expect(names.map(otherNamesNote)).toEqual([expect.stringContaining('"body.requestOtp": "<a JSON object')])
})

it('sends no address, and nothing at all in a read-only run', async () => {
  const everything = { ...theirs, 'request-otp': ['address'], 'request-password-reset': ['address'] }
  const says = ([first]: readonly string[]) => ({ message: `"${first}" is required` })
  const { sent } = await namesOf(everything, says)
  const requested = sent.filter(({ action }) => action.startsWith('request-'))
  expect(requested.every(({ body }) => Object.keys(body).length === 0)).toBe(true)
  expect((await namesOf(everything, says, { readOnly: true })).sent).toEqual([])
})
