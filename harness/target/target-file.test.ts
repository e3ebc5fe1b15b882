import { describe, expect, it } from 'vitest'
import { ConfigurationError } from '../errors.ts'
import { checkedUrl, isLoopback } from './checked-url.ts'
import { expectUsedCredentials, targetOf } from './target-file.ts'

const read = (content: unknown, environment = {}) => targetOf(content, 'target.json', environment)

describe('a target file', () => {
  it('becomes a target', () => {
    const target = read(
      {
        baseUrl: 'http://127.0.0.1:1/',
        prefix: '/api',
        tables: { plain: { name: 'notes' } },
        credentials: { superuser: { tokenEnv: 'T' } },
      },
      { T: 'abc' },
    )
    expect(target.baseUrl).toBe('http://127.0.0.1:1')
    expect(target.binding.prefix).toBe('/api')
    expect(target.tables.plain).toEqual({ role: 'plain', name: 'notes', existing: true })
    expect(target.credentials.superuser).toEqual({ token: 'abc' })
  })

  it('declares tables that the server does not have', () => {
    const { tables, absentTables } = read({
      baseUrl: 'http://127.0.0.1:1',
      tables: { plain: { name: 'notes' }, related: false, everything: false },
    })
    expect(Object.keys(tables)).toEqual(['plain'])
    expect(absentTables).toEqual(['related', 'everything'])
  })

  it.each<[string, unknown, RegExp]>([
    [
      'an unknown role that is declared absent',
      { baseUrl: 'http://h', tables: { relatde: false } },
      /unknown key "tables.relatde"[\s\S]*did you mean "related"/,
    ],
    [
      'an operation that the document does not have',
      { baseUrl: 'http://h', operations: { requestOtpp: false } },
      /unknown key "operations.requestOtpp".*did you mean "requestOtp"/s,
    ],
    [
      'an unknown capability',
      { baseUrl: 'http://h', capabilities: { otpp: false } },
      /unknown key "capabilities\.otpp"[\s\S]*did you mean "otp"\?/,
    ],
    [
      'an unknown hook',
      { baseUrl: 'http://h', hooks: { clok: './clock.mjs' } },
      /unknown key "hooks\.clok"[\s\S]*did you mean "clock"\?/,
    ],
    [
      'an unknown key',
      { baseUrl: 'http://h', tabels: {} },
      /unknown key "tabels"[\s\S]*target\.json[\s\S]*did you mean "tables"\?/,
    ],
    [
      'an unknown key deep inside',
      { baseUrl: 'http://h', tables: { plain: { nam: 'x' } } },
      /"tables\.plain\.nam"[\s\S]*"name"/,
    ],
    [
      'a role that no check has',
      { baseUrl: 'http://h', tables: { plan: { name: 'notes' } } },
      /unknown key "tables\.plan"[\s\S]*did you mean "plain"\?/,
    ],
    [
      'a credential that is not there',
      { baseUrl: 'http://h', tables: { plain: { name: 'notes', as: 'superusr' } } },
      /tables\.plain\.as: there is no credential "superusr"[\s\S]*did you mean "superuser"\?/,
    ],
    [
      'accounts without a table for them',
      { baseUrl: 'http://h', tables: { plain: { name: 'notes', as: 'account' } } },
      /tables\.plain\.as: there is no table with the role "members"[\s\S]*add "members"/,
    ],
    [
      'an identity where no one signs in',
      { baseUrl: 'http://h', tables: { plain: { name: 'notes', identity: 'username' } } },
      /tables\.plain\.identity: no account signs in[\s\S]*auth tables: members/,
    ],
    [
      'a field that the role does not have',
      { baseUrl: 'http://h', tables: { plain: { name: 'notes', fields: { titel: 'title' } } } },
      /unknown key "tables\.plain\.fields\.titel"[\s\S]*did you mean "title"\?/,
    ],
    [
      'an unknown binding',
      { baseUrl: 'http://h', binding: { prefx: '/x' } },
      /"binding\.prefx"[\s\S]*"prefix"/,
    ],
    [
      'half of a relation',
      { baseUrl: 'http://h', tables: { child: { name: 'comments', fields: { parent: 'post' } } } },
      /tables\.child: no table has the role "parent"[\s\S]*map both roles, or neither/,
    ],
    [
      'a table where someone stands in for guests, who are judged there',
      {
        baseUrl: 'http://h',
        tables: { owned: { name: 'bookings' }, plain: { name: 'bookings', as: 'superuser' } },
      },
      /tables\.plain\.as: someone stands in[\s\S]*role "owned"[\s\S]*another table for "plain" or for "owned"/,
    ],
    ['a missing address', {}, /baseUrl/],
    [
      'a missing variable',
      { baseUrl: 'http://h', credentials: { a: { tokenEnv: 'NOPE' } } },
      /NOPE is not set/,
    ],
    [
      'an address with credentials',
      { baseUrl: 'http://u:sekret@h' },
      /the base URL contains credentials\n {2}at {4}target\.json, baseUrl\n {2}next/,
    ],
    [
      'an address that is none',
      { baseUrl: 'http://a:99999' },
      /not an http or https URL\n {2}at {4}target\.json, baseUrl/,
    ],
  ])('is rejected for %s', (_name, content, message) => {
    expect(() => read(content)).toThrow(message)
  })
})

it('a field that signs in is what the suite calls username, and an address is what checks send anyway', () => {
  const ofMembers = (table: object) =>
    targetOf({ baseUrl: 'http://h', tables: { members: { name: 'people', ...table } } }, 'a', {}).tables
      .members
  expect(ofMembers({ identity: 'login' })).toMatchObject({ identity: 'login', fields: { username: 'login' } })
  expect(ofMembers({ identity: 'username' })).toEqual({
    role: 'members',
    name: 'people',
    identity: 'username',
    existing: true,
  })
  for (const given of [{ identity: 'email' }, { identity: 'mail', fields: { email: 'mail' } }])
    expect(ofMembers(given)).not.toHaveProperty('identity')
})

it('a token that no header can carry is rejected by its name, and not shown', () => {
  const given = (token: object) => () =>
    read({ baseUrl: 'http://h', credentials: { a: token } }, { T: 'sekret\n' })
  expect(given({ tokenEnv: 'T' })).toThrow(/another invalid character\n {2}at {4}T, for target\.json/)
  expect(given({ token: 'sekret漢' })).toThrow(/target\.json, credentials\.a\.token/)
  expect(given({ tokenEnv: 'T' })).not.toThrow('sekret')
})

it('no address that is rejected shows the password in it', () => {
  for (const baseUrl of [
    'http://u:sekret@h',
    'http://u:sekret@h:99999',
    'http://u:se/kret@h',
    'u:sekret@h',
  ]) {
    const rejected = [() => read({ baseUrl }), () => checkedUrl(baseUrl, '--base-url')]
    for (const reject of rejected) {
      expect(reject).toThrow(ConfigurationError)
      expect(reject).not.toThrow(/se\/?kret/)
    }
  }
})

it('knows this very machine', () => {
  expect(['localhost', '127.0.0.1', '127.8.9.1', '[::1]', 'a.localhost'].every(isLoopback)).toBe(true)
  expect(['example.com', '127.example.com', '10.0.0.1', '0.0.0.0'].some(isLoopback)).toBe(false)
})

describe('credentials', () => {
  const token = { token: 'abc' }
  const scope = { tables: ['*'], actions: ['list' as const] }
  const table = { name: 'notes' }
  const expectUsed = (file: Parameters<typeof expectUsedCredentials>[0]) => () =>
    expectUsedCredentials(file, 'target.json')

  it('have names that something uses', () => {
    expect(expectUsed({ credentials: { superuser: token } })).not.toThrow()
    expect(
      expectUsed({
        tables: { plain: { ...table, as: 'caller' }, related: false },
        credentials: { caller: token },
      }),
    ).not.toThrow()
    expect(expectUsed({ credentials: { 'my key': { ...token, scope } } })).not.toThrow()
  })

  it.each<[string, RegExp]>([
    ['superusr', /credentials\.superusr: nothing uses this credential[\s\S]*did you mean "superuser"\?/],
    ['admin', /credentials\.admin: nothing uses this credential[\s\S]*next {2,}use the name superuser/],
    ['callr', /did you mean "caller"\?/],
  ])('are rejected as %s', (name, message) => {
    const tables = { plain: { ...table, as: 'caller' } }
    expect(expectUsed({ tables, credentials: { [name]: token } })).toThrow(message)
  })
})
