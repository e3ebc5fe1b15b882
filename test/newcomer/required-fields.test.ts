/** Tables that require more of each record than the suite knows: a rejection names it, and an exploration finds values. */

import { expect, it, onTestFinished } from 'vitest'
import type { TableDefinition } from '../../spec/table-definition.ts'
import { runBy } from '../support/blog.ts'
import { type Front, startFronted } from '../support/fronted-reference.ts'
import { openRules, stamps } from '../support/open-rules.ts'
import { ownStateFolder } from '../support/own-state-folder.ts'

ownStateFolder()

const own = 'id = @request.auth.id'

/** Customers with a first name and consent; products of a kind, with a price. */
const tables: TableDefinition[] = [
  {
    name: 'customers',
    type: 'auth',
    ...openRules,
    updateRule: own,
    deleteRule: own,
    fields: [
      { name: 'first_name', type: 'text', required: true, pattern: '^[A-Za-z ]+$' },
      { name: 'accept_terms', type: 'bool', required: true },
      { name: 'nick', type: 'text', required: true },
      ...stamps,
    ],
  },
  {
    name: 'products',
    type: 'base',
    ...openRules,
    fields: [
      { name: 'title', type: 'text', required: true },
      { name: 'kind', type: 'select', values: ['tool', 'toy'], maxSelect: 1, required: true },
      { name: 'price', type: 'number', required: true },
      { name: 'maker', type: 'relation', collectionId: 'products', maxSelect: 1 },
      ...stamps,
    ],
  },
]
const records = {
  products: [
    { id: 'aaaaaaaaaaaaaa1', title: 'A red ball', kind: 'toy', price: 3 },
    { id: 'aaaaaaaaaaaaaa2', title: 'A long saw', kind: 'tool', price: 30 },
    { id: 'aaaaaaaaaaaaaa3', title: 'A small saw', kind: 'tool', price: 20 },
  ],
}

const checks = ['record.id', 'auth.response-token']

/** Rejections in another form. */
const rejecting =
  (form: (fields: string[]) => unknown): Front =>
  async (request, next) => {
    const response = await next(request)
    if (response.status !== 400) return response
    const { data = {} } = (await response.json()) as { data?: Record<string, unknown> }
    return Response.json(form(Object.keys(data)), { status: 422 })
  }

/** `First name` for `first_name` */
const inWords = (field: string) => field.replaceAll('_', ' ').replace(/^./, (letter) => letter.toUpperCase())

async function run(front: Front = (request, next) => next(request)) {
  const server = await startFronted({ tables, records }, front)
  onTestFinished(() => server.close())
  return runBy(server.url, checks)
}

const foundValues = [
  'each record of products requires more, and gets {"kind":"tool","price":3}',
  'guests may sign up in customers, with {"first_name":"Ann","accept_terms":true,"nick":"{unique}"} in addition to address and password; an account may view, update and delete itself',
]

it.each<[string, Front | undefined]>([
  ['by a key for each field', undefined],
  [
    'in a list',
    rejecting((fields) => ({
      detail: fields.map((field) => ({ loc: ['body', field], msg: 'Field required' })),
    })),
  ],
  [
    'in sentences that begin with words',
    rejecting((fields) => ({ errors: fields.map((field) => `${inWords(field)} can't be blank`) })),
  ],
  ['in a sentence, one at a time', rejecting(([field = 'a value']) => ({ error: `${field} is required` }))],
])('finds values for the fields that a rejection names %s', async (_, front) => {
  const { statuses, notes, leftovers } = await run(front)
  expect(notes).toEqual(expect.arrayContaining(foundValues))
  expect(new Set(Object.values(statuses))).toEqual(new Set(['pass']))
  expect(leftovers).toEqual([])
})

it('tests what it can where no rejection names a field', async () => {
  const { statuses, notes } = await run(rejecting(() => ({ error: 'The data is not valid.' })))
  expect(notes).toContainEqual(expect.stringContaining('customers rejects a sign-up with email and password'))
  expect(statuses).toMatchObject({ 'auth.response-token': 'blocked' })
})

it('signs up where auth-methods sends what cannot be decoded', async () => {
  const { notes } = await run(async (request, next) =>
    request.url.endsWith('/auth-methods')
      ? new Response('no gzip', { headers: { 'content-encoding': 'gzip' } })
      : next(request),
  )
  expect(notes).toContainEqual(expect.stringMatching(/^guests may sign up in customers/))
})
