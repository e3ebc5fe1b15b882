/**
 * Every option and every argument of a reference, given everything that it is not: what is rejected is rejected in the
 * words of this project, by the name of the argument, never by what the engine says of the code inside.
 */

import { describe, expect, it } from 'vitest'
import { type AnyReference, createReference, type ReferenceOptions } from './reference.ts'

const wrong: Readonly<Record<string, unknown>> = {
  nothing: undefined,
  null: null,
  'a number': 7,
  NaN: Number.NaN,
  'a negative number': -1,
  'a fraction': 1.5,
  'a text': 'text',
  true: true,
  'an empty object': {},
  'an unknown key': { nope: 1 },
  'a list': [],
  'a list of nothing': [null],
  'a function': () => undefined,
  'a symbol': Symbol('s'),
  'a bigint': 10n,
  'no date': new Date(Number.NaN),
  'a promise': Promise.resolve(1),
}

/** What V8 and Node say of code that was given something other than it expects. */
const raw =
  /Cannot (read|destructure|use|convert|set|mix)|is not (a function|iterable|an object|a constructor)|Invalid (time|URL|Date)|The "\w+" argument|Iterator value|\[object |null prototype/

/** The message of the rejection, if it is one; a function that waits is not waited for. */
const rejection = (call: () => unknown): Promise<string | undefined> =>
  rejectionInTheEnd(() => Promise.race([call(), new Promise((resolve) => setTimeout(resolve, 20))]))

/** The same, of a function that is waited for. */
async function rejectionInTheEnd(call: () => unknown): Promise<string | undefined> {
  try {
    await call()
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const tables = [
  { name: 'notes', listRule: '', fields: [{ name: 'title', type: 'text' as const }] },
  { name: 'users', type: 'auth' as const, fields: [] },
]
const superusers = [{ email: 'root@example.com', password: 'root-password' }]

/** The options with one value at a path: `mail.smtp`, `apiKeys.0`. */
function optionsWith(path: string, value: unknown): ReferenceOptions {
  const [name = '', ...inner] = path.split('.')
  const nested = inner.reduceRight<unknown>(
    (content, key) => (key === '0' ? [content] : { [key]: content }),
    value,
  )
  return { tables, [name]: nested } as ReferenceOptions
}

describe('an option', () => {
  it.each([
    ...['tables', 'tables.0', 'records', 'records.notes', 'records.notes.0', 'records.notes.0.title'],
    ...['superusers', 'superusers.0', 'superusers.0.email', 'prefix', 'seed', 'ids', 'clock'],
    ...['batch', 'batch.enabled', 'batch.maxRequests', 'batch.maxBodySize', 'batch.timeout'],
    ...['mail', 'mail.smtp', 'mail.smtp.port', 'mail.sender', 'mail.sender.senderAddress'],
    ...['oauth2', 'oauth2.pretend', 'oauth2.pretend.0', 'oauth2.page'],
    ...['apiKeys', 'apiKeys.0', 'apiKeys.0.tables', 'apiKeys.0.actions', 'apiKeys.0.name'],
    ...['rateLimits', 'rateLimits.enabled', 'rateLimits.rules', 'rateLimits.rules.0'],
    ...['rateLimits.excludedIPs', 'rateLimits.excludedIPs.0', 'throttle', 'throttle.otpAttempts'],
    ...['limits', 'limits.steps', 'superuserIPs', 'superuserIPs.0', 'passwordCost', 'keepRequests', 'log'],
  ])('%s', async (path) => {
    const messages = Object.values(wrong).map((value) =>
      rejection(() => createReference(optionsWith(path, value))),
    )
    const rejected = (await Promise.all(messages)).filter((message) => message !== undefined)
    // What one place accepts differs, but nowhere is a symbol or a function inside of an object of use.
    expect(rejected.length).toBeGreaterThan(0)
    expect(rejected.filter((message) => raw.test(message))).toEqual([])
  })

  it('that is not an object', async () => {
    for (const [name, value] of Object.entries(wrong)) {
      const message = await rejection(() => createReference(value as ReferenceOptions))
      if (['nothing', 'an empty object', 'no date', 'a promise'].includes(name)) continue
      expect(message, name).toMatch(/must be an object|There is no option "nope"/)
    }
  })
})

/** The functions of a reference with arguments that they accept. */
const calls: Readonly<Record<string, readonly unknown[]>> = {
  make: ['notes', 1, {}],
  as: ['guest'],
  tokenFor: ['users', 'x', {}],
  fault: [{ status: 500 }],
  restore: [undefined],
  importState: [undefined],
  listen: [0, '127.0.0.1'],
  'clock.set': [0],
  'clock.advance': [0],
  'clock.freeze': [0],
  'apiKeys.create': [{ tables: ['notes'], actions: ['list'] }],
  'apiKeys.revoke': ['x'],
  'apiKeys.find': ['x'],
  'mail.waitFor': [{ timeout: 1 }],
  'oauth2.next': [{ sub: '1' }],
  'oauth2.visit': ['http://pretend.invalid/?redirect_uri=http%3A%2F%2Fapp.test', { sub: '1' }],
  'records.create': ['notes', {}],
  'records.find': ['notes', 'x'],
  'records.list': ['notes', {}],
  'records.update': ['notes', 'x', {}],
  'records.delete': ['notes', 'x'],
  'records.count': ['notes'],
  'requests.all': ['listRecords'],
  'requests.last': ['listRecords'],
  'requests.count': ['listRecords'],
  'requests.assert': ['listRecords', {}],
  'requests.assertNone': ['listRecords'],
  'requests.waitFor': ['listRecords', { timeout: 1 }],
  'requests.subscribe': [() => undefined],
  'requests.explain': [1],
}

/** Functions without arguments, functions of the native API, and functions that only the server itself calls. */
const others = [
  ...['fetch', 'close', 'clearFaults', 'footprint', 'snapshot', 'reset', 'fork', 'exportState'],
  ...['clock.now', 'clock.unfreeze', 'clock.fork', 'apiKeys.list', 'mail.clear', 'mail.send'],
  ...['realtime.idle', 'realtime.disconnect', 'realtime.connect', 'realtime.find', 'realtime.resubscribe'],
  ...['realtime.forget', 'oauth2.redeem', 'oauth2.clear', 'requests.clear', 'requests.har'],
  ...['requests.begin', 'requests.end'],
]

type Callable = (...given: readonly unknown[]) => unknown

/** Every function of a reference and of its parts. */
function functionsOf(reference: AnyReference): Map<string, Callable> {
  const found = Object.entries(reference).flatMap(([name, part]): [string, unknown][] =>
    typeof part === 'function'
      ? [[name, part]]
      : Object.entries(part as object).map(([inner, value]) => [`${name}.${inner}`, value]),
  )
  return new Map(found.filter((entry): entry is [string, Callable] => typeof entry[1] === 'function'))
}

it('names every function of a reference', () => {
  const names = [...functionsOf(createReference()).keys()]
  expect(names.sort()).toEqual([...Object.keys(calls), ...others].sort())
})

describe('an argument of', () => {
  it.each(Object.keys(calls))('%s', async (name) => {
    const good = calls[name] ?? []
    for (const at of good.keys()) {
      for (const [what, value] of Object.entries(wrong)) {
        const reference = createReference({ tables, superusers, passwordCost: 1, log: () => undefined })
        const given = [...good]
        given[at] = value
        const message = await rejection(() => functionsOf(reference).get(name)?.(...given))
        await reference.close()
        expect(message ?? '', `argument ${at} is ${what}`).not.toMatch(raw)
      }
    }
  })

  it.each<[string, readonly unknown[], RegExp]>([
    ['make', ['notes', Number.NaN], /count of make\(\) must be a whole number; found NaN\.$/],
    ['make', ['notes', -1], /whole number; found -1\.$/],
    ['make', ['notes', 1.5], /whole number; found 1\.5\.$/],
    [
      'make',
      ['notes', { title: 'x' }],
      /found an object\. The values come after it: make\(table, 1, values\)/,
    ],
    ['make', ['notes', 1, 'x'], /values for notes\[0\] must be an object .*; found a string/],
    ['make', [7], /name of the table must be a string; found a number/],
    ['records.create', ['notes'], /values for a record of "notes" must be an object .*; found nothing/],
    [
      'records.list',
      ['notes', { fliter: '' }],
      /no option of records\.list "fliter"\. Did you mean "filter"\?/,
    ],
    ['importState', [Promise.resolve({})], /^The state is a promise: await it first\.$/],
    ['oauth2.next', ['ann'], /^A pretended user must be an object with .*; found a string\.$/],
    [
      'records.list',
      ['notes', { perPage: 1 }],
      /records\.list has no option "perPage": it returns all records/,
    ],
    [
      'records.list',
      ['notes', 'title = "x"'],
      /^The options of records\.list must be an object with filter, sort or expand; found a string\.$/,
    ],
    ['records.list', ['notes', { sort: ['title'] }], /option "sort" of records\.list must be a string/],
    [
      'records.delete',
      ['notes', undefined],
      /id of the record must be a string, or the record; found nothing/,
    ],
    ['records.update', ['notes', { title: 'x' }, {}], /must be a string, or the record; found an object/],
    ['records.delete', ['notes', []], /must be a string, or the record; found an array/],
    ['records.delete', ['notes', Promise.resolve()], /id of the record is a promise: await it first/],
    ['mail.waitFor', [{ too: 'a@b.c' }], /no option of mail\.waitFor "too"\. Did you mean "to"\?/],
    ['mail.waitFor', [{ timeout: '1s' }], /timeout of mail\.waitFor must be milliseconds.*; found "1s"/],
    ['mail.waitFor', [{ to: 'a@b.c', timeout: 1 }], /^No email for a@b\.c was sent within 1 ms/],
    ['mail.waitFor', [{ kind: 'otp', timeout: 1 }], /^No otp email was sent within 1 ms/],
    ['requests.assert', ['listRecords', { time: 3 }], /requests\.assert "time"\. Did you mean "times"\?/],
    [
      'requests.assert',
      ['listRecords', { times: '3' }],
      /"times" of requests\.assert must be a whole number/,
    ],
    ['requests.waitFor', ['listRecords', { time: 3 }], /no option of requests\.waitFor "time"/],
    ['as', ['ann'], /takes a record, 'superuser', 'guest', .*; found "ann"/],
    ['as', [{}], /found an empty object\.$/],
    ['as', [{ id: 'x' }], /found an object with id\./],
    ['as', [[{ id: 'x' }]], /found an array: pass one of its records\.$/],
    ['as', [Promise.resolve({})], /found a promise, which lacks an await/],
    ['as', [{ table: 'user', id: 'x' }], /there is no table "user"\. Did you mean "users"\?/],
    ['as', [{ table: 'notes', id: 'x' }], /"notes" is not an auth table/],
    ['tokenFor', ['users', 'x', { duration: '60' }], /a number of seconds; found (?:the string )?"60"/],
    ['tokenFor', ['users', 'x', { duratoin: 1 }], /"duratoin"\. Did you mean "duration"\?/],
    [
      'tokenFor',
      ['users', 'x', { kind: 'verificaton' }],
      /no token of kind "verificaton"\. Did you mean "verification"\?/,
    ],
    ['fault', [], /This fault does nothing: set a status/],
    ['fault', [null], /must be an object with match, status/],
    ['oauth2.next', [{ email: 'a@b.c' }], /needs a "sub"/],
    ['oauth2.next', [{ sub: '1', mail: 'a@b.c' }], /"mail"\. Did you mean "email"\?/],
    ['oauth2.next', [{ reject: 'code' }], /can reject the 'token' or the 'user', not "code"/],
    ['apiKeys.create', [{ tables: 'notes', actions: ['list'] }], /needs lists of tables and actions/],
    ['apiKeys.create', [{ table: ['notes'], actions: ['list'] }], /"table"\. Did you mean "tables"\?/],
  ])('%s(%j) says what is wrong', async (name, given, message) => {
    const reference = createReference({ tables, log: () => undefined })
    expect(await rejectionInTheEnd(() => functionsOf(reference).get(name)?.(...given))).toMatch(message)
  })
})
