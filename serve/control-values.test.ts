/** Values that the control endpoints reject, because they would be wrong later. */

import { describe, expect, it } from 'vitest'
import { startControlled } from '../test/support/controlled-server.ts'

describe('values that would be wrong later', () => {
  it('an impossible time changes nothing', async () => {
    const { get, post } = await startControlled()
    await post('clock', { freeze: '2030-01-31T12:00:00Z' })
    const before = (await get('clock')).body.now
    for (const body of [
      { advance: 1e18 },
      { advance: '99999999999999999d' },
      { set: 1e15 },
      { set: '2031-01-01', freeze: 'garbage' },
      { advance: 1000, unfreeze: false },
      { freeze: false },
    ])
      expect(await post('clock', body)).toMatchObject({ status: 400, body: { message: expect.any(String) } })
    expect((await get('clock')).body.now).toBe(before)
  })

  it.each(['reset', 'snapshot'])('%s takes no keys', async (path) => {
    const { post } = await startControlled()
    expect(await post(path, { x: 1 })).toMatchObject({
      status: 400,
      body: { message: 'Unknown key "x": this request has no keys. Send no body.' },
    })
  })

  it.each<[string, object, RegExp]>([
    ['token', { table: 'users', id: 'ann', email: 'ann@example.com' }, /"id" and "email" both name/],
    [
      'token',
      { table: 'users', id: 'ann', newEmail: 'x@example.com' },
      /"newEmail" is for the kind emailChange/,
    ],
    ['api-keys', { tables: ['postz'], actions: ['list'] }, /no table "postz"\. Did you mean "posts"/],
    ['fault', { match: 'GET /api/v1/collections/posts/records', status: 500 }, /Write "\/collections/],
    ['fault', { match: '/collection/posts/records', status: 500 }, /Did you mean "\/collections\/posts/],
    ['fault', { match: 'FETCH /collections/*', status: 500 }, /unknown method\. Did you mean "PATCH"/],
    ['fault', { delay: '100' }, /"delay" of a fault/],
    [
      'tables',
      [{ name: 'v', type: 'view', viewQuery: 'SELECT id FROM posts' }],
      /View tables cannot be served.*"v"/,
    ],
    ['make/posts', { count: 1, valeus: {} }, /Did you mean "values"/],
    ['make/posts', { count: 1_000_000_000 }, /"count" must be an integer from 1 to 1000, not 1000000000/],
    ['make/posts', { count: -1 }, /from 1 to 1000/],
    ['fault', { clear: true, status: 500 }, /"clear" removes all faults/],
    ['fault', { clear: 'true' }, /"clear" must be true or false, not "true"/],
    ['fault', { expired: false }, /does nothing/],
    ['fault', { delay: 3_000_000_000 }, /at most 2147483647/],
    ['clock', { freeze: true, unfreeze: true }, /exclude each other/],
    ['clock', { freeze: '2030-01-01', advance: '1h' }, /overrides "advance"/],
    ['clock', { set: '1' }, /"set" must be a date/],
    ['clock', { set: '2030-02-31T00:00:00Z' }, /"set" must be a date/],
    [
      'oauth2',
      { sub: '1', authURL: 'http://x/?redirect_uri=foo' },
      /redirect_uri "foo" of the address is not a URL/,
    ],
    [
      'state',
      { version: 1, tables: [null], records: {}, files: {}, memory: [], random: {} },
      /Table definition 0/,
    ],
    ['make/postz', {}, /no table "postz"\. Did you mean "posts"/],
    ['oauth2', { email: 'bob@example.com' }, /"sub" or "reject" is required/],
    ['oauth2', { sub: '1', authURL: 'nowhere' }, /"authURL" must be a URL/],
    [
      'records/users',
      [{ email: 'b@example.com', password: 'secret1234', verified: 'maybe' }],
      /true or false/,
    ],
  ])('POST %s rejects %j', async (path, body, message) => {
    const { post } = await startControlled()
    const response = await post(path, body)
    expect(response.status).toBeGreaterThanOrEqual(400)
    expect(response.body.message).toMatch(message)
  })

  it('names the methods of a path that exists', async () => {
    const { send } = await startControlled()
    const { status, body } = await send('/_conformance/state', { method: 'DELETE' })
    expect([status, body.message]).toEqual([404, 'Unknown control request "DELETE state". Use GET or POST.'])
  })

  it('names the nearest request, and all of them if none is near', async () => {
    const { get } = await startControlled()
    const messageOf = async (path: string) => (await get(path)).body.message
    expect(await messageOf('mial')).toBe('Unknown control request "GET mial". Did you mean "GET mail"?')
    expect(await messageOf('something/else/entirely')).toMatch(/ Use one of POST reset, POST snapshot, /)
  })

  it('accepts the kinds of emails for tokens, and the kinds of tokens for emails', async () => {
    const { post, get, api } = await startControlled()
    const account = { table: 'users', email: 'ann@example.com' }
    expect((await post('token', { ...account, kind: 'password-reset' })).body.kind).toBe('passwordReset')
    await api('users/request-password-reset', { email: 'ann@example.com' })
    expect((await get('mail?kind=passwordReset&wait=2000')).body.mails).toHaveLength(1)
    expect((await get('mail?kind=passwordreset')).body.message).toMatch(/must be one of verification, /)
  })

  it('says which emails there are instead of one that did not arrive', async () => {
    const { get, api } = await startControlled()
    const missing = () => get('mail?kind=otp&wait=10')
    expect((await missing()).body.message).toBe(
      'No such email arrived within 10 ms. The outbox holds: nothing.',
    )
    await api('users/request-password-reset', { email: 'ann@example.com' })
    await get('mail?wait=2000')
    expect(await missing()).toEqual({
      status: 408,
      body: {
        status: 408,
        message: 'No such email arrived within 10 ms. The outbox holds: password-reset to ann@example.com.',
        data: {},
      },
    })
  })
})
