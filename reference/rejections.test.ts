/** One request for each way in which the reference rejects one without saying why. */

import { describe, expect, it } from 'vitest'
import { createReference, type Reference, type ReferenceOptions } from './reference.ts'

const options = {
  superusers: [{ id: 'root00000000001', email: 'root@example.com', password: 'root-secret' }],
  prefix: '/api',
  seed: 1,
  passwordCost: 4,
  clock: '2026-01-31T12:00:00Z',
  oauth2: { pretend: ['google'] },
  tables: [
    {
      name: 'members',
      type: 'auth',
      viewRule: '',
      otp: { enabled: true },
      fields: [],
    },
    { name: 'staff', type: 'auth', otp: { enabled: true }, mfa: { enabled: true }, fields: [] },
    {
      name: 'closed',
      type: 'auth',
      passwordAuth: { enabled: false },
      oauth2: { enabled: false },
      fields: [],
    },
    {
      name: 'letters',
      listRule: '',
      viewRule: '@request.auth.id != ""',
      createRule: '',
      fields: [
        { name: 'title', type: 'text' },
        { name: 'scan', type: 'file', protected: true },
      ],
    },
    {
      name: 'stamps',
      deleteRule: '',
      fields: [
        {
          name: 'letter',
          type: 'relation',
          collectionId: 'letters',
          required: true,
        },
      ],
    },
    { name: 'totals', type: 'view' },
  ],
  records: {
    members: [{ id: 'member000000001', email: 'ann@example.com', password: 'secret1234' }],
    staff: [{ id: 'staff0000000001', email: 'bob@example.com', password: 'secret1234' }],
  },
  apiKeys: [{ name: 'reader', tables: ['letters'], actions: ['list'] }],
} as unknown as ReferenceOptions

// A relation names its table by id.
const tables = (options.tables as { id?: string; name: string }[]).map((table) =>
  table.name === 'letters' ? { ...table, id: 'letters' } : table,
)

type Init = {
  method?: string
  /** JSON unless it is a string. */
  body?: unknown
  type?: string
  token?: string
  ip?: string
}

class World {
  readonly reference: Reference

  constructor(more: object = {}) {
    this.reference = createReference({ ...options, tables, ...more } as ReferenceOptions)
  }

  async send(path: string, { body, method, type, token, ip }: Init = {}): Promise<Response> {
    return await this.reference.fetch(
      `/api/${path}`,
      {
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        headers: {
          ...(body !== undefined && { 'content-type': type ?? 'application/json' }),
          ...(token && { authorization: token }),
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      },
      ip,
    )
  }

  async rejected(path: string, init?: Init): Promise<[number, readonly string[] | undefined]> {
    const response = await this.send(path, init)
    const said = await response.text()
    const reason = this.reference.requests.last()?.reason
    for (const line of reason ?? []) {
      expect(said).not.toContain(JSON.stringify(line).slice(1, -1))
      expect(line).not.toMatch(/eyJ|secret1234|root-secret|wrong-pass/)
    }
    return [response.status, reason]
  }

  token(
    kind: 'auth' | 'file' | 'verification' | 'passwordReset' | 'emailChange' = 'auth',
    duration?: number,
  ) {
    return this.reference.tokenFor('members', 'member000000001', {
      kind,
      ...(duration !== undefined && { duration }),
      ...(kind === 'emailChange' && { newEmail: 'new@example.com' }),
    })
  }
}

const letters = 'collections/letters/records'

describe('a body is rejected', () => {
  it.each<[string, Init, number, string]>([
    [
      'that is not JSON',
      { body: '{"title": "a",\n}' },
      400,
      'The body is not JSON: line 2, column 1: expected a key in double quotes, found }.',
    ],
    ['that is not an object', { body: [] }, 400, 'The body must be a JSON object; found an array.'],
    [
      'with a number that is too large',
      { body: '{"title": 1e999}' },
      400,
      'The body is not JSON that a double can hold: a number is too large.',
    ],
    [
      'of another media type',
      { body: 'title: a', type: 'text/yaml' },
      400,
      'The media type of the body is "text/yaml": send application/json, multipart/form-data or application/x-www-form-urlencoded.',
    ],
    [
      'of a form with a semicolon',
      { body: 'a=1;b=2', type: 'application/x-www-form-urlencoded' },
      400,
      'The form contains a ";", which may be meant as "&": write "&", or "%3B" in a value.',
    ],
    [
      'of a form with malformed escapes',
      { body: 'a=%zz', type: 'application/x-www-form-urlencoded' },
      400,
      'The percent-encoding of the form is malformed.',
    ],
    [
      'of a multipart form without a boundary',
      { body: 'x', type: 'multipart/form-data' },
      400,
      'The multipart form is malformed: its Content-Type has no boundary, or one of more than 200 characters: leave the header out, and the client sets it.',
    ],
    [
      'of a multipart form that is cut short',
      {
        body: '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1',
        type: 'multipart/form-data; boundary=x',
      },
      400,
      'The multipart form is malformed: the last part does not end with the boundary.',
    ],
    [
      'with a malformed payload',
      { body: '@jsonPayload={', type: 'application/x-www-form-urlencoded' },
      400,
      'The value of "@jsonPayload" is not JSON: line 1, column 2: expected a key in double quotes or "}", found its end.',
    ],
  ])('%s', async (_, init, status, reason) => {
    expect(await new World().rejected(letters, init)).toEqual([status, [reason]])
  })

  it('that is too long', async () => {
    const world = new World({ batch: { enabled: true, maxBodySize: 10 } })
    expect(await world.rejected('batch', { body: { requests: [] } })).toEqual([
      413,
      ['The body is longer than 10 bytes, the most that this operation reads here.'],
    ])
  })

  it('that has a wrong type where a sign-in reads it, with the fault of JSON too', async () => {
    const path = 'collections/members/auth-with-password'
    expect(await new World().rejected(path, { body: { identity: 5 } })).toEqual([
      400,
      ['"identity" of the body is not a string.'],
    ])
    expect(await new World().rejected(path, { body: 'identity=' })).toEqual([
      400,
      ['The body is not JSON: line 1, column 1: expected a value.'],
    ])
  })
})

describe('a token is rejected', () => {
  const refresh = (world: World, token?: string) =>
    world.rejected('collections/members/auth-refresh', { body: {}, ...(token && { token }) })

  it('that is absent, garbage, of another kind, or a key', async () => {
    const world = new World()
    expect(await refresh(world)).toEqual([401, ['The request has no Authorization header.']])
    expect(await refresh(world, 'Bearer nonsense')).toEqual([
      401,
      ['The caller is a guest, since the Authorization header holds no token of this server.'],
    ])
    expect(await refresh(world, await world.token('verification'))).toEqual([
      401,
      ['The caller is a guest, since the token is for a verification, not for a session.'],
    ])
    const [key] = world.reference.apiKeys.initial
    expect(await refresh(world, key?.key)).toEqual([403, ['The caller is an API key, which has no session.']])
  })

  it('that has expired', async () => {
    const world = new World()
    world.reference.clock.freeze('2026-01-31T12:00:00Z')
    expect(await refresh(world, await world.token('auth', -60))).toEqual([
      401,
      [
        'The caller is a guest, since the token expired at 2026-01-31T11:59:00.000Z, and the clock of the server says 2026-01-31T12:00:00.000Z.',
      ],
    ])
  })

  it('that a new password has ended', async () => {
    const world = new World()
    const token = await world.token()
    await world.reference.records.update('members', 'member000000001', { password: 'another1234' })
    expect(await refresh(world, token)).toEqual([
      401,
      [
        'The caller is a guest, since the token was ended: members/member000000001 has another password, email or token key since.',
      ],
    ])
  })

  it('of another server, of a deleted record, or of another table', async () => {
    const foreign = await new World({ seed: 2 }).token()
    expect((await refresh(new World(), foreign))[1]?.[0]).toContain('another server issued it')
    const world = new World()
    const token = await world.token()
    expect(await world.rejected('collections/staff/auth-refresh', { body: {}, token })).toEqual([
      403,
      ['The caller is members/member000000001, and the path names "staff".'],
    ])
    await world.reference.records.delete('members', 'member000000001')
    expect(await refresh(world, token)).toEqual([
      401,
      ['The caller is a guest, since the account of the token, members/member000000001, does not exist.'],
    ])
  })

  it('of a superuser from another address', async () => {
    const world = new World({ superuserIPs: ['10.0.0.0/8', '::1'] })
    const token = await world.reference.tokenFor('_superusers', 'root00000000001')
    const [status, reason] = await world.rejected(letters, { token, ip: '127.0.0.1' })
    expect([status, reason?.[0]]).toEqual([
      403,
      expect.stringMatching(
        /^The address of the client, 127\.0\.0\.1, is not in superuserIPs: superusers may use (?=.*10\.0\.0\.0\/8).*::1/,
      ),
    ])
  })

  it('that may not impersonate', async () => {
    const world = new World()
    const path = 'collections/members/impersonate/member000000001'
    expect(await world.rejected(path, { body: {} })).toEqual([
      401,
      ['The request has no Authorization header.'],
    ])
    expect(await world.rejected(path, { body: {}, token: await world.token() })).toEqual([
      403,
      ['Only superusers impersonate. The caller is members/member000000001.'],
    ])
    const token = await world.reference.tokenFor('_superusers', 'root00000000001')
    expect(await world.rejected('collections/members/impersonate/absent', { body: {}, token })).toEqual([
      404,
      ['Table "members" has no record "absent".'],
    ])
  })
})

describe('a sign-in is rejected', () => {
  it('to a table of another type, and with a method that is switched off', async () => {
    const body = { identity: 'x', password: 'wrong-pass' }
    expect(await new World().rejected('collections/letters/auth-with-password', { body })).toEqual([
      404,
      ['"letters" is not a table of type auth, so no one signs in to it. There are: closed, members, staff.'],
    ])
    for (const [path, method, status] of [
      ['auth-with-password', 'passwordAuth', 403],
      ['request-password-reset', 'passwordAuth', 400],
      ['request-otp', 'otp', 403],
      ['auth-with-otp', 'otp', 403],
      ['auth-with-oauth2', 'oauth2', 403],
    ] as const)
      expect(await new World({ oauth2: {} }).rejected(`collections/closed/${path}`, { body })).toEqual([
        status,
        [`${method}.enabled of "closed" is false.`],
      ])
  })

  it('by a code that is unknown, wrong, of another table, expired, used or never sent', async () => {
    const world = new World()
    world.reference.clock.freeze('2026-01-31T12:00:00Z')
    const open = async (table: string, email: string) => {
      const response = await world.send(`collections/${table}/request-otp`, { body: { email } })
      const { otpId } = (await response.json()) as { otpId: string }
      return otpId
    }
    const sign = async (otpId: string, password = '00000000', table = 'members') => {
      const [status, reason] = await world.rejected(`collections/${table}/auth-with-otp`, {
        body: { otpId, password },
      })
      expect((reason ?? []).join()).not.toContain(otpId)
      return [status, ...(reason ?? [])]
    }
    const unknown = 'There is no code with this otpId: it was used, has expired, or was never requested.'
    expect(await sign('absent')).toEqual([400, unknown])
    const otpId = await open('members', 'ann@example.com')
    const { code = '' } = await world.reference.mail.waitFor({ kind: 'otp' })
    expect(await sign(otpId)).toEqual([
      400,
      'The code is not the one that was emailed to members/member000000001.',
    ])
    expect(await sign(otpId, code, 'staff')).toEqual([
      400,
      'The code is for "members", and the path names "staff".',
    ])
    expect(await sign(await open('members', 'nobody@example.com'))).toEqual([
      400,
      'No record of "members" has the address that this code was requested for, so no code was emailed.',
    ])
    expect(await sign(otpId, code)).toEqual([200])
    expect(await sign(otpId, code)).toEqual([400, unknown])
    const late = await open('members', 'ann@example.com')
    world.reference.clock.advance('4m')
    expect(await sign(late)).toEqual([
      400,
      'The code expired at 2026-01-31T12:03:00.000Z, after 180 s (otp.duration), and the clock of the server says 2026-01-31T12:04:00.000Z.',
    ])
  })

  it('after too many codes', async () => {
    const world = new World({ throttle: { otpAttempts: 1 } })
    const response = await world.send('collections/members/request-otp', {
      body: { email: 'ann@example.com' },
    })
    const { otpId } = (await response.json()) as { otpId: string }
    const sign = () =>
      world.rejected('collections/members/auth-with-otp', { body: { otpId, password: '00000000' } })
    await sign()
    const [status, reason] = await sign()
    expect([status, reason?.[0]]).toEqual([
      429,
      expect.stringContaining('One record allows 1 attempt with codes in 180 s'),
    ])
  })

  it('until its second factor, which must fit', async () => {
    const world = new World()
    world.reference.clock.freeze('2026-01-31T12:00:00Z')
    const path = 'collections/staff/auth-with-password'
    const body = { identity: 'bob@example.com', password: 'secret1234' }
    const response = await world.send(path, { body })
    expect(response.status).toBe(401)
    expect(world.reference.requests.last()?.reason).toEqual([
      'The first factor, password, is right, and mfa.enabled of "staff" is true: sign in by another method, with the mfaId of the response.',
    ])
    const { mfaId } = (await response.json()) as { mfaId: string }
    expect(await world.rejected(path, { body: { ...body, mfaId } })).toEqual([
      400,
      ['Both factors are password: the second must be another method.'],
    ])
    expect(await world.rejected(path, { body: { ...body, mfaId: 'absent' } })).toEqual([
      400,
      ['There is no sign-in with this mfaId: it was completed, has expired, or never began.'],
    ])
    expect(await world.rejected(path, { body: { ...body, mfaId: 5 } })).toEqual([
      400,
      ['"mfaId" of the body is not a string.'],
    ])
    world.reference.clock.advance('1h')
    const [status, reason] = await world.rejected(path, { body: { ...body, mfaId } })
    expect([status, reason?.[0]]).toEqual([
      400,
      expect.stringContaining('must follow within 600 s (mfa.duration)'),
    ])
  })

  it('by a provider, and with one that the table does not have', async () => {
    const path = 'collections/members/auth-with-oauth2'
    const body = { provider: 'google', code: 'x', codeVerifier: 'y', redirectURL: 'http://app.test' }
    expect(await new World().rejected(path, { body: { ...body, provider: 'gogle' } })).toEqual([
      400,
      ['oauth2.providers of "members": google. The body needs one of them as "provider", and a "code".'],
    ])
    const world = new World()
    world.reference.oauth2.next({ reject: 'token' })
    expect(await world.rejected(path, { body })).toEqual([
      400,
      ['The test makes the provider reject this sign-in.'],
    ])
    world.reference.oauth2.next({ sub: '1', email: 'new@example.com', emailVerified: true })
    expect(await world.rejected(path, { body })).toEqual([
      403,
      ['createRule of "members" is null: only superusers pass. The caller is a guest.'],
    ])
  })
})

describe('the token of an email is rejected', () => {
  const confirm = (world: World, operation: string, token: string, more: object = {}, table = 'members') =>
    world.rejected(`collections/${table}/${operation}`, { body: { token, ...more } })
  const passwords = { password: 'another1234', passwordConfirm: 'another1234' }

  it.each([
    ['confirm-verification', {}, 'a verification', 'verification'],
    ['confirm-password-reset', passwords, 'a password reset', 'passwordReset'],
    ['confirm-email-change', { password: 'secret1234' }, 'an email change', 'emailChange'],
  ] as const)(
    'by %s, if it is absent, garbage, of another kind, or expired',
    async (operation, more, purpose, kind) => {
      const world = new World()
      world.reference.clock.freeze('2026-01-31T12:00:00Z')
      expect(await confirm(world, operation, '', more)).toEqual([400, ['The body has no token.']])
      expect(await confirm(world, operation, 'garbage', more)).toEqual([
        400,
        ['The token is not one of this server.'],
      ])
      expect(await confirm(world, operation, await world.token('auth'), more)).toEqual([
        400,
        [`The token is for a session, not for ${purpose}.`],
      ])
      expect(await confirm(world, operation, await world.token(kind, -60), more)).toEqual([
        400,
        [
          'The token expired at 2026-01-31T11:59:00.000Z, and the clock of the server says 2026-01-31T12:00:00.000Z.',
        ],
      ])
      expect(await confirm(world, operation, await world.token(kind), more, 'staff')).toEqual([
        400,
        ['The token belongs to members/member000000001, and the path names "staff".'],
      ])
    },
  )

  it('if it was used', async () => {
    const world = new World()
    const token = await world.token('passwordReset')
    expect(await confirm(world, 'confirm-password-reset', token, passwords)).toEqual([204, undefined])
    expect(await confirm(world, 'confirm-password-reset', token, passwords)).toEqual([
      400,
      ['The token was ended: members/member000000001 has another password, email or token key since.'],
    ])
  })

  it('if it names no address', async () => {
    const field = { name: 'email', type: 'email', required: false, system: true }
    const nameless = { name: 'nameless', type: 'auth', fields: [field] }
    const world = new World({ tables: [...tables, nameless] })
    const { id } = await world.reference.records.create('nameless', { password: 'secret1234' })
    const token = await world.reference.tokenFor('nameless', String(id), { kind: 'verification' })
    expect(await confirm(world, 'confirm-verification', token, {}, 'nameless')).toEqual([
      400,
      ['The token for a verification names no email address.'],
    ])
  })

  it('if the address or the password does not fit', async () => {
    const world = new World()
    const token = await world.token('emailChange')
    expect(await confirm(world, 'confirm-email-change', token, { password: 'wrong-pass' })).toEqual([
      400,
      ['The password of members/member000000001 is another one.'],
    ])
    await world.reference.records.create('members', {
      id: 'member000000002',
      email: 'new@example.com',
      password: 'secret1234',
    })
    expect(await confirm(world, 'confirm-email-change', token, { password: 'secret1234' })).toEqual([
      400,
      ['members/member000000002 has the address new@example.com already.'],
    ])
  })
})

describe('outside the document is rejected', () => {
  async function withScan() {
    const world = new World()
    const { id, scan } = await world.reference.records.create('letters', {
      scan: new File(['Dear reader'], 'letter.txt'),
    })
    return { world, path: `files/letters/${id}`, id, scan: String(scan) }
  }

  it('a file that does not exist', async () => {
    const { world, path, id, scan } = await withScan()
    expect(await world.rejected(`${path}/letter.txt`)).toEqual([
      404,
      [expect.stringContaining(`letters/${id} has no file "letter.txt".`)],
    ])
    expect(world.reference.requests.last()?.reason?.[0]).toContain(`It has: ${scan}.`)
    expect(await world.rejected('files/members/member000000001/x.png')).toEqual([
      404,
      ['members/member000000001 has no file.'],
    ])
  })

  it('a protected file, by the view rule', async () => {
    const { world, path, scan } = await withScan()
    const rule = [
      'viewRule of "letters" is false for a guest: @request.auth.id != ""',
      '  false: @request.auth.id != "" (@request.auth.id is missing)',
    ]
    const isProtected = 'Field "scan" of "letters" is protected.'
    expect(await world.rejected(`${path}/${scan}`)).toEqual([
      404,
      [`${isProtected} The URL has no file token, in "token".`, ...rule],
    ])
    const session = await world.token()
    expect(await world.rejected(`${path}/${scan}?token=${session}`)).toEqual([
      404,
      [`${isProtected} The token is for a session, not for protected files.`, ...rule],
    ])
    expect((await world.rejected(`${path}/${scan}`, { token: session }))[1]).toEqual([
      `${isProtected} The URL has no file token, in "token". The Authorization header does not count here.`,
      ...rule,
    ])
    expect((await world.rejected(`${path}/${scan}?token=${await world.token('file')}`))[0]).toBe(200)
  })

  it('a protected file, to another record than the rule allows, or to a superuser from elsewhere', async () => {
    const hidden = {
      name: 'hidden',
      viewRule: 'owner = @request.auth.id',
      fields: [
        { name: 'owner', type: 'text' },
        { name: 'scan', type: 'file', protected: true },
      ],
    }
    const world = new World({ tables: [...tables, hidden], superuserIPs: ['10.0.0.1'] })
    const { id, scan } = await world.reference.records.create('hidden', {
      owner: 'bob',
      scan: new File(['x'], 'x.txt'),
    })
    expect(await world.rejected(`files/hidden/${id}/${scan}?token=${await world.token('file')}`)).toEqual([
      404,
      [
        'Field "scan" of "hidden" is protected.',
        'viewRule of "hidden" is false for members/member000000001: owner = @request.auth.id',
        '  false: owner = @request.auth.id (owner is "bob", @request.auth.id is "member000000001")',
      ],
    ])
    const token = await world.reference.tokenFor('_superusers', 'root00000000001', { kind: 'file' })
    const [, reason] = await world.rejected(`files/hidden/${id}/${scan}?token=${token}`)
    expect(reason?.slice(0, 2)).toEqual([
      'Field "scan" of "hidden" is protected. The address of the client, 127.0.0.1, is not in superuserIPs: superusers may use 10.0.0.1.',
      'viewRule of "hidden" is false for a guest: owner = @request.auth.id',
    ])
  })

  it('a file token for a guest', async () => {
    expect(await new World().rejected('files/token', { method: 'POST' })).toEqual([
      401,
      ['The request has no Authorization header.'],
    ])
    const world = new World()
    const [key] = world.reference.apiKeys.initial
    expect(await world.rejected('files/token', { method: 'POST', token: String(key?.key) })).toEqual([
      401,
      ['The caller is the API key "reader".'],
    ])
  })

  it('a subscription without a stream, and one to a table that does not exist is noted', async () => {
    const world = new World()
    const [status, reason] = await world.rejected('realtime', { body: { clientId: 'x', subscriptions: [] } })
    expect([status, reason?.[0]]).toEqual([
      404,
      expect.stringContaining('No stream with this clientId is open; 0 are.'),
    ])
    expect((await world.rejected('realtime', { body: { clientId: 'x', subscriptions: 5 } }))[1]).toEqual([
      '"clientId" of the body must be a string, and "subscriptions" an array of strings.',
    ])
    const stream = await world.send('realtime')
    const reader = stream.body?.getReader()
    const first = new TextDecoder().decode((await reader?.read())?.value)
    const clientId = /"clientId":"(\w+)"/.exec(first)?.[1]
    const subscribe = (subscriptions: string[], ip?: string) =>
      world.rejected('realtime', { body: { clientId, subscriptions }, ...(ip && { ip }) })
    expect(await subscribe(['letters/*', '@oauth2'])).toEqual([204, undefined])
    expect(await subscribe(['letterz/*', 'totals/*?options=%7B%7D'])).toEqual([
      204,
      [
        'There is no table "letterz". Did you mean "letters"? There are: closed, letters, members, staff, stamps.',
        '"totals" is a view, and views are not served: docs/extras.md, "What there is not".',
      ],
    ])
    expect(await subscribe(['letters/*'], '10.0.0.1')).toEqual([
      400,
      ['The connection was opened from 127.0.0.1, and this request comes from 10.0.0.1.'],
    ])
    await reader?.cancel()
  })
})

describe('more is rejected', () => {
  it('a view that is not served', async () => {
    expect(await new World().rejected('collections/totals/records')).toEqual([
      404,
      ['"totals" is a view, and views are not served: docs/extras.md, "What there is not".'],
    ])
    const fork = new World().reference.fork()
    await fork.fetch('/api/collections/totals/records')
    expect(fork.requests.last()?.reason?.[0]).toContain('is a view')
  })

  it('a record that others require', async () => {
    const world = new World()
    await world.reference.records.create('letters', { id: 'letter000000001' })
    await world.reference.records.create('stamps', { id: 'stamp0000000001', letter: 'letter000000001' })
    const token = await world.reference.tokenFor('_superusers', 'root00000000001')
    expect(await world.rejected(`${letters}/letter000000001`, { method: 'DELETE', token })).toEqual([
      400,
      [
        'stamps/stamp0000000001 requires letters/letter000000001 in its field "letter", without cascadeDelete: delete that record first.',
      ],
    ])
  })

  it('a request that is one too many', async () => {
    const rules = [{ label: 'letters:list', duration: 10, maxRequests: 1 }]
    const world = new World({ rateLimits: { enabled: true, rules } })
    await world.send(letters)
    expect(await world.rejected(letters)).toEqual([
      429,
      ['The rate limit "letters:list" allows 1 request in 10 s from one address, which is 127.0.0.1 here.'],
    ])
  })

  it('a batch', async () => {
    const entry = { method: 'POST', url: '/api/collections/letters/records', body: {} }
    const send = async (world: World, requests: unknown) => world.rejected('batch', { body: { requests } })
    expect(await send(new World({ batch: { enabled: false } }), [entry])).toEqual([
      403,
      [
        expect.stringMatching(
          /^The settings of batches reject all of them: enabled is false, maxRequests is \d+\.$/,
        ),
      ],
    ])
    const world = new World({ batch: { enabled: true } })
    expect(await send(world, 'x')).toEqual([400, ['"requests" of the body must be an array.']])
    expect(await send(world, [entry, { ...entry, url: 5 }])).toEqual([
      400,
      ['requests[1].url must be a string.'],
    ])
    expect(await send(world, [{ ...entry, url: '/collections/letters/records' }])).toEqual([
      400,
      [
        'Entry 0 of the batch was rejected.',
        'A batch has no entry "POST /collections/letters/records": it takes POST and PUT /api/collections/TABLE/records, PATCH and DELETE /api/collections/TABLE/records/ID.',
      ],
    ])
    expect(await send(world, [{ ...entry, url: `${entry.url}?a=%zz` }])).toEqual([
      400,
      [
        'Entry 0 of the batch was rejected.',
        'The query of its URL has malformed percent-encoding, or a ";".',
      ],
    ])
  })
})
