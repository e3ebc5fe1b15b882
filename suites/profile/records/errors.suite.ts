/** Error bodies (standard profile, gaps `errors.envelope` and `limits.sizes`). */

import { isObject } from '../../../exchange/json-object.ts'
import { check } from '../../../harness/check.ts'
import {
  expectEqual,
  expectRejection,
  expectStatus,
  expectThat,
  objectBody,
} from '../../../harness/judging/expect.ts'
import { NO_RECORD, NO_TABLE } from '../../../harness/support/no-record.ts'
import type { ApiResponse, Body } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { newAccount } from '../../shared/auth/accounts.ts'
import { confirmReset } from '../../shared/auth/confirm-flows.ts'
import { flowToken } from '../../shared/auth/email-flows.ts'
import { post } from '../../shared/auth/post.ts'
import { rawBatch, subRequests } from '../../shared/batch/entries.ts'
import { recordOf } from '../../shared/records/record-of.ts'
import { rawList } from '../lists/raw-list.ts'

/** One error response for each status and operation on records that a guest can cause. */
async function rejections(context: CheckContext): Promise<ApiResponse[]> {
  const { api, table } = context
  const responses = [
    await api.view(table('plain'), NO_RECORD),
    await api.update(table('plain'), NO_RECORD, {}),
    await api.delete(table('plain'), NO_RECORD),
    await api.create(table('required'), {}),
    await api.list(table('locked')),
    await rawList(context, table('plain'), { page: 'x' }),
    await api.raw({ method: 'GET', path: api.path.records(NO_TABLE) }),
    await api.raw({ method: 'PUT', path: api.path.record(table('plain'), 'x') }),
    await api.raw({
      method: 'POST',
      path: api.path.records(table('plain')),
      headers: { 'content-type': 'application/json' },
      body: '{',
    }),
  ]
  for (const response of responses) expectRejection(response, 'an invalid request')
  return responses
}

check('error.envelope', async (context) => {
  for (const response of await rejections(context)) {
    const body = objectBody(response)
    expectEqual(Object.keys(body).sort(), ['data', 'message', 'status'], 'the keys of an error body')
    expectEqual(body.status, response.status, 'status in an error body')
    expectThat(
      typeof body.message === 'string' && body.message !== '',
      'an error body has no message',
      'a string',
      body.message,
    )
    expectThat(isObject(body.data), '`data` of an error body is not an object', 'an object', body.data)
  }
})

check('error.data-empty', async (context) => {
  const withoutFields = (await rejections(context)).filter(
    ({ exchange }) => !exchange.request.url.includes(context.table('required').name),
  )
  for (const response of withoutFields)
    expectEqual(objectBody(response).data, {}, 'data where no field has an error')
  if (!context.hasTable('members') || !context.knows('superuser')) return
  const root = context.api.as('superuser')
  const members = context.table('members')
  const { id } = await newAccount(context)
  expectRejection(await post(root, members, `impersonate/${id}`, { duration: -1 }), 'a negative duration')
  const noOne = await root.impersonate(members, NO_RECORD)
  expectEqual(
    objectBody(noOne).data,
    {},
    'data of the error response to an impersonation of a missing record',
  )
})

check('error.media-type', async (context) => {
  for (const response of await rejections(context)) {
    const type = response.headers['content-type'] ?? ''
    expectThat(
      /^application\/json\b/.test(type),
      'an error body has the wrong media type',
      'application/json',
      type,
    )
  }
})

check('error.field-shape', async ({ api, table }) => {
  const responses = [
    await api.create(table('required'), {}),
    await api.create(table('constrained'), { short: 'A', range: 99, link: 'x' }),
  ]
  for (const response of responses) {
    expectRejection(response, 'a create with invalid fields')
    const { data } = objectBody(response)
    const errors = isObject(data) ? Object.entries(data) : []
    expectThat(errors.length >= 3, 'the error response lacks errors of invalid fields', 'at least 3', data)
    for (const [field, error] of errors) {
      expectThat(isObject(error), `the error of ${field} is not an object`, 'an object', error)
      expectThat(
        typeof error.code === 'string' && error.code !== '',
        `the error of ${field} has no code`,
        'a string',
        error,
      )
      expectThat(
        typeof error.message === 'string' && error.message !== '',
        `the error of ${field} has no message`,
        'a string',
        error,
      )
      const { params } = error
      expectThat(
        params === undefined || (isObject(params) && Object.keys(params).length > 0),
        `the error of ${field} has empty params`,
        'an object or none',
        error,
      )
      const other = Object.keys(error).filter((key) => !['code', 'message', 'params'].includes(key))
      expectEqual(other, [], `the other keys of the error of ${field}`)
    }
  }
})

/** `params` of the error of one field. @param field of `data`, or the keys that lead to it */
function expectParams(response: ApiResponse, field: string, params: Body, what: string): void {
  expectRejection(response, what)
  const { data } = objectBody(response)
  expectThat(isObject(data), 'an error response has no object in `data`', 'an object', response.text)
  const error = field.split('.').reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), data)
  expectEqual(isObject(error) ? error.params : error, params, `params of the error of ${field} of ${what}`)
}

check('error.params', async (context) => {
  const { api, table, unique } = context
  const cases: [Body, string, Body][] = [
    [{ short: 'a' }, 'short', { min: 2 }],
    [{ short: 'abcdef' }, 'short', { max: 5 }],
    [{ range: -6 }, 'range', { min: -5 }],
    [{ range: 11 }, 'range', { max: 10 }],
    [{ tiny: 'x'.repeat(21) }, 'tiny', { maxSize: 20 }],
    [{ two: ['a', 'b', 'c'] }, 'two', { maxSelect: 2 }],
  ]
  for (const [body, field, params] of cases) {
    const response = await api.create(table('constrained'), body)
    expectParams(response, field, params, `a create with ${JSON.stringify(body)}`)
  }
  const { id } = await context.make(table('constrained'), { short: 'abc' })
  for (const [body, field, params] of cases) {
    const response = await api.update(table('constrained'), id, body)
    expectParams(response, field, params, `an update with ${JSON.stringify(body)}`)
  }
  if (context.has('batch')) {
    const entry = { method: 'POST', url: api.path.records(table('constrained')), body: { short: 'a' } }
    const within = 'requests.0.response.data.short'
    expectParams(await api.batch([entry]), within, { min: 2 }, 'a batch')
    const many = Array.from({ length: 51 }, () => entry)
    expectParams(await api.batch(many), 'requests', { min: 0, max: 50 }, 'a batch of 51')
    const far = { ...entry, url: `${entry.url}?fields=${'x'.repeat(2000)}` }
    expectParams(
      await rawBatch(api, JSON.stringify({ requests: [far] })),
      'requests.0.url',
      { min: 0, max: 2000 },
      'a batch with a long URL',
    )
  }
  if (!context.hasTable('members')) return
  const account = await newAccount(context)
  const long = { identity: account.email, password: unique('x').padEnd(256, 'x') }
  const signIn = await post(api, account.table, 'auth-with-password', long)
  expectParams(signIn, 'password', { min: 1, max: 255 }, 'a long password')
  if (context.knows('superuser')) {
    const response = await post(api.as('superuser'), account.table, `impersonate/${account.id}`, {
      duration: -1,
    })
    expectParams(response, 'duration', { threshold: 0 }, 'an impersonation')
  }
  if (!context.has('mail')) return
  const token = await flowToken(context, 'password-reset', account)
  expectParams(
    await confirmReset(context, account, token, 'short'),
    'password',
    { min: 8, max: 255 },
    'a reset',
  )
})

check('limit.below-body-size', async ({ api, table, unique }) => {
  const plain = table('plain')
  const large = (title: string) => ({ title, unknown: 'x'.repeat(1024 * 1024) })
  const [first, second] = [unique('title'), unique('title')]
  const { id, title } = recordOf(await api.create(plain, large(first)), 'a create with 1 MiB')
  expectEqual(title, first, 'title, which was sent with 1 MiB in an unknown key')
  expectEqual(recordOf(await api.view(plain, id)).title, first, 'title in a view after that create')
  recordOf(await api.update(plain, id, large(second)), 'an update with 1 MiB')
  expectEqual(recordOf(await api.view(plain, id)).title, second, 'title in a view after that update')
})

check('limit.body-size', async ({ api, has, table, rejects, unique }) => {
  const bodyOf = (unknown: string) => JSON.stringify({ title: unique('title'), unknown })
  const send = (body: string | Buffer) =>
    api.raw({
      operation: 'createRecord',
      method: 'POST',
      path: api.path.records(table('plain')),
      headers: { 'content-type': 'application/json' },
      body,
    })
  // Bytes are recorded by their length: making and searching a string of this size takes more than a second.
  const [before = '', after = ''] = bodyOf('#').split('#')
  const tooLong = [Buffer.from(before), Buffer.alloc(33 * 1024 * 1024, 'x'), Buffer.from(after)]
  const attempt = () => send(Buffer.concat(tooLong))
  await rejects({ control: () => send(bodyOf('x'.repeat(1000))), attempt, status: 413 })
  // A batch may have 128 MiB.
  const long = subRequests(api).create(table('plain'), {
    title: unique('long'),
    unknown: 'x'.repeat(300_000),
  })
  if (has('batch')) expectStatus(await api.batch([long]), 200, 'a batch of 300 KB')
})
