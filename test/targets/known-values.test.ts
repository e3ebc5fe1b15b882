/** Mistakes with fields that a target file names values for: an ordinary application, without the tables of the suite. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { inSample } from '../../scripts/support/in-full.ts'
import type { TableDefinition } from '../../spec/table-definition.ts'
import { type Front, startFronted } from '../support/fronted-reference.ts'
import { openRules, stamps } from '../support/open-rules.ts'
import { ownStateFolder } from '../support/own-state-folder.ts'
import { runConformance } from '../support/run-here.ts'

const folder = ownStateFolder()

const own = 'id = @request.auth.id'

/** Pupils with a year, courses, who attends which, and teachers, who sign in. */
const tables: TableDefinition[] = [
  {
    name: 'pupils',
    type: 'base',
    ...openRules,
    fields: [
      { name: 'name', type: 'text', required: true },
      { name: 'year', type: 'number', required: true, min: 1, max: 13, onlyInt: true },
      { name: 'guardian', type: 'email', required: true },
      { name: 'active', type: 'bool' },
      ...stamps,
    ],
  },
  {
    name: 'courses',
    type: 'base',
    ...openRules,
    fields: [
      { name: 'title', type: 'text', required: true },
      { name: 'credits', type: 'number', required: true, min: 1 },
      ...stamps,
    ],
  },
  {
    name: 'enrolments',
    type: 'base',
    ...openRules,
    fields: [
      { name: 'note', type: 'text', required: true },
      { name: 'grade', type: 'select', values: ['A', 'B'], maxSelect: 1, required: true },
      { name: 'course', type: 'relation', collectionId: 'courses', maxSelect: 1 },
      ...stamps,
    ],
  },
  {
    name: 'teachers',
    type: 'auth',
    ...openRules,
    updateRule: own,
    deleteRule: own,
    fields: [
      { name: 'name', type: 'text' },
      { name: 'subject', type: 'select', values: ['maths', 'music'], maxSelect: 1, required: true },
      ...stamps,
    ],
  },
]

const pupil = { year: 3, guardian: 'guardian@example.com' }
const mapped = {
  plain: { name: 'pupils', fields: { title: 'name' }, values: pupil },
  everything: {
    name: 'pupils',
    fields: { text: 'name', number: 'year', bool: 'active', email: 'guardian' },
    values: pupil,
  },
  parent: { name: 'courses', fields: { name: 'title' }, values: { credits: 3 } },
  child: { name: 'enrolments', fields: { name: 'note', parent: 'course' }, values: { grade: 'A' } },
  members: { name: 'teachers', fields: { name: 'name' }, values: { subject: 'music' } },
}

async function statusesOf(only: readonly string[], front: Front, more: object = {}) {
  const server = await startFronted({ tables }, front)
  onTestFinished(() => server.close())
  const target = join(folder, 'school.json')
  writeFileSync(target, JSON.stringify({ baseUrl: server.url, tables: { ...mapped, ...more } }))
  const { findings } = await runConformance({ target, only: [...only], seed: 7, runs: 0.2 })
  return Object.fromEntries(findings.map(({ requirement, status }) => [requirement, status]))
}

const isWrite = ({ method, url }: Request, by: string, table: string) =>
  method === by && url.includes(`/${table}/records`)

const jsonOf = async (request: Request) => (await request.clone().json()) as Record<string, unknown>

const sending = async ({ url, headers }: Request, method: string, body: unknown) =>
  new Request(url, { method, headers, body: JSON.stringify(body) })

/** The response to a list with other items. */
async function withItems(response: Response, change: (item: Record<string, unknown>) => object) {
  const list = (await response.json()) as { items: Record<string, unknown>[] }
  return Response.json({ ...list, items: list.items.map(change) })
}

const mistakes: [what: string, requirement: string, front: Front][] = [
  [
    'an update sets a bool to false that it does not send',
    'update.changes-only-sent',
    async (request, next) =>
      isWrite(request, 'PATCH', 'pupils')
        ? next(await sending(request, 'PATCH', { active: false, ...(await jsonOf(request)) }))
        : next(request),
  ],
  [
    'a create that lacks a value is rejected, but its record is there',
    'write.rejected-changes-nothing',
    async (request, next) => {
      if (!isWrite(request, 'POST', 'pupils')) return next(request)
      const body = await jsonOf(request)
      const response = await next(request.clone())
      if (!response.ok) await next(await sending(request, 'POST', { ...pupil, ...body }))
      return response
    },
  ],
  [
    'an item with an expansion lacks a field',
    'list.expand-keeps-record',
    async (request, next) => {
      const response = await next(request)
      return request.url.includes('/enrolments/records?') && request.url.includes('expand=')
        ? withItems(response, ({ grade: _, ...item }) => item)
        : response
    },
  ],
  [
    'an update of a missing record creates one',
    'update.missing-refused',
    async (request, next) => {
      const response = await next(request.clone())
      if (response.status !== 404 || !isWrite(request, 'PATCH', 'pupils')) return response
      const { url, headers } = request
      const body = JSON.stringify(await jsonOf(request))
      return next(new Request(url.replace(/\/[^/]*$/, ''), { method: 'POST', headers, body }))
    },
  ],
  [
    'a batch completes creates that are rejected alone',
    'batch.all-or-nothing',
    async (request, next) => {
      if (!request.url.endsWith('/batch')) return next(request)
      const { requests = [] } = (await jsonOf(request)) as { requests?: { method?: string; body?: object }[] }
      const completed = requests.map((each) =>
        each?.method === 'POST' ? { ...each, body: { ...pupil, ...each.body } } : each,
      )
      return next(await sending(request, 'POST', { requests: completed }))
    },
  ],
  [
    'a string loses what is between < and >',
    'create.persists',
    async (request, next) => {
      if (!isWrite(request, 'POST', 'pupils')) return next(request)
      const body = await jsonOf(request)
      return next(
        await sending(request, 'POST', { ...body, name: String(body.name).replace(/<[^>]*>/g, '') }),
      )
    },
  ],
  [
    'a + becomes a space',
    'update.applies',
    async (request, next) => {
      if (!isWrite(request, 'PATCH', 'pupils')) return next(request)
      const body = await jsonOf(request)
      const name = typeof body.name === 'string' ? { name: body.name.replaceAll('+', ' ') } : {}
      return next(await sending(request, 'PATCH', { ...body, ...name }))
    },
  ],
  [
    'a number is shown as another one in lists',
    'field-types.keep-values',
    async (request, next) => {
      const response = await next(request)
      return /\/pupils\/records(\?|$)/.test(request.url) && request.method === 'GET' && response.ok
        ? withItems(response, (item) => ({ ...item, year: Number(item.year) + 1 }))
        : response
    },
  ],
]

/** A field of an account is empty after a sign-in. */
function clearedBySignIn(): Front {
  const cleared = new Set<unknown>()
  return async (request, next) => {
    const { method, url } = request
    const response = await next(request.clone())
    if (!response.ok || !url.includes('/teachers/')) return response
    if (method === 'PATCH' && 'subject' in (await jsonOf(request))) cleared.clear()
    if (response.status === 204) return response
    const body = (await response.json()) as Record<string, unknown>
    const hide = (record: Record<string, unknown>) =>
      cleared.has(record.id) ? { ...record, subject: '' } : record
    if (url.endsWith('/auth-with-password')) {
      const record = body.record as Record<string, unknown>
      cleared.add(record.id)
      return Response.json({ ...body, record: hide(record) })
    }
    return Response.json(hide(body))
  }
}

describe('an application with values that its tables require', { timeout: 120_000 }, () => {
  const allMistakes: typeof mistakes = [
    ...mistakes,
    ['a sign-in empties a field', 'update.changes-only-sent', clearedBySignIn()],
  ]
  it.each(allMistakes.filter(inSample(4)))('fails where %s', async (_, requirement, front) => {
    expect(await statusesOf([requirement], front)).toEqual({ [requirement]: 'fail' })
  })

  const known = new Set(['name', 'year', 'guardian', 'active'])
  const lawful: [what: string, front: Front][] = [
    ['without a mistake', (request, next) => next(request)],
    [
      'where unknown fields and characters of markup are rejected',
      async (request, next) => {
        if (!isWrite(request, 'POST', 'pupils') && !isWrite(request, 'PATCH', 'pupils')) return next(request)
        const body = await jsonOf(request)
        const isWrong = Object.keys(body).some((key) => !known.has(key)) || /[<>&]/.test(String(body.name))
        return isWrong ? Response.json({ error: 'not possible' }, { status: 422 }) : next(request)
      },
    ],
    [
      'where a record counts its updates, and items show where they are',
      (() => {
        const counts = new Map<unknown, number>()
        return async (request, next) => {
          const response = await next(request)
          if (!/\/(pupils|enrolments)\/records/.test(request.url) || !response.ok || response.status === 204)
            return response
          if (/records(\?|$)/.test(request.url) && request.method === 'GET')
            return withItems(response, (item) => ({
              ...item,
              self: request.url,
              version: counts.get(item.id) ?? 1,
            }))
          const record = (await response.json()) as Record<string, unknown>
          const count = (counts.get(record.id) ?? 0) + (request.method === 'GET' ? 0 : 1)
          counts.set(record.id, count)
          return Response.json({ ...record, version: count })
        }
      })(),
    ],
  ]
  it.each(lawful.filter(inSample(3)))('passes %s', async (_, front) => {
    const ids = [...new Set(mistakes.map(([, requirement]) => requirement))]
    const statuses = await statusesOf(ids, front)
    expect(statuses).toEqual(Object.fromEntries(ids.map((id) => [id, 'pass'])))
  })
})
