/** Where only the address is known, and lists take their parameters in forms of their own: no one is accused for that. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { inFull, inSample } from '../../scripts/support/in-full.ts'
import { loadTables } from '../../spec/tables.ts'
import { blog, runBy } from '../support/blog.ts'
import { copyOf, type Front, startFronted } from '../support/fronted-reference.ts'
import { ownStateFolder } from '../support/own-state-folder.ts'
import { runConformance } from '../support/run-here.ts'

const folder = ownStateFolder()

/** A parameter as the server takes it, in the form of the reference; undefined if it is not one of its own. */
type Reading = (name: string, value: string, query: URLSearchParams) => Record<string, string> | undefined

/** The lists of a server with parameters of its own. @param strict whether it rejects all others, or ignores them */
function lists(strict: boolean, ...readings: Reading[]): Front {
  return async (request, next) => {
    const url = new URL(request.url)
    if (request.method !== 'GET' || !url.pathname.endsWith('/records')) return next(request)
    const { searchParams: query } = url
    const read = [...query].map(([name, value]) =>
      readings.map((reading) => reading(name, value, query)).find((found) => found !== undefined),
    )
    if (strict && read.includes(undefined))
      return Response.json({ detail: 'unknown parameter' }, { status: 400 })
    url.search = String(new URLSearchParams(Object.assign({ perPage: '7' }, ...read)))
    return next(await copyOf(request, { url }))
  }
}

const named =
  (theirs: string, ours: string): Reading =>
  (name, value) =>
    name === theirs ? { [ours]: value } : undefined
const size = named('limit', 'perPage')
const page = named('page', 'page')
/** `filter[title]=a` */
const filter: Reading = (name, value) => {
  const field = /^filter\[(\w+)\]$/.exec(name)?.[1]
  return field === undefined ? undefined : { filter: `${field} = '${value}'` }
}
/** `orderBy=title&dir=desc` */
const orderBy: Reading = (name, value, query) => {
  if ((name !== 'orderBy' && name !== 'dir') || value.startsWith('-')) return undefined
  const field = name === 'dir' ? query.get('orderBy') : value
  return { sort: `${query.get('dir') === 'desc' ? '-' : ''}${field}` }
}
/** `sort=title,desc` */
const sortComma: Reading = (name, value) => {
  if (name !== 'sort' || value.startsWith('-')) return undefined
  const [field, direction] = value.split(',')
  return { sort: `${direction === 'desc' ? '-' : ''}${field}` }
}
/** `q[s]=title desc` */
const ransack: Reading = (name, value) => {
  const [field, direction] = value.split(' ')
  return name === 'q[s]' ? { sort: `${direction === 'desc' ? '-' : ''}${field}` } : undefined
}
/** `arrange=title down`, which no one can guess. */
const arrange: Reading = (name, value) =>
  name === 'arrange' ? { sort: value.replace(/^(\w+) down$/, '-$1') } : undefined

/** More than a page of them, and all before the words of a trial. */
const posts = Array.from({ length: 14 }, (_, at) => ({
  id: `aaaaaaaaaaaaa${10 + at}`,
  headline: `Hello number ${10 + at}`,
}))
const records = { posts, comments: [] }

const failed = (statuses: Readonly<Record<string, unknown>>) =>
  Object.keys(statuses).filter((id) => statuses[id] === 'fail')

const orders = ['list.sort-orders', 'list.sort-text', 'list.sort-across-pages', 'list.pagination-covers']

describe('an order', { timeout: 120_000 }, () => {
  const known: [string, boolean, Reading, string][] = [
    ['orderBy=f&dir=desc', false, orderBy, '"sort.descending":"orderBy={field}&dir=desc"'],
    ['orderBy=f&dir=desc', true, orderBy, '"sort.descending":"orderBy={field}&dir=desc"'],
    ['sort=f,desc', false, sortComma, '"sort.descending":"{field},desc"'],
    ['sort=f,desc', true, sortComma, '"sort.descending":"{field},desc"'],
    ['q[s]=f desc', true, ransack, '"list.sort":"q[s]"'],
  ]
  it.each(known.filter(inSample(8)))(
    'is found in the form %s (others are rejected: %s)',
    async (_, strict, order, binding) => {
      const { statuses, notes } = await runBy(
        await blog({ records, front: lists(strict, size, page, filter, order) }),
        orders,
      )
      expect(notes.filter((note) => note.includes('"binding": '))).toEqual([expect.stringContaining(binding)])
      expect(statuses).toEqual(Object.fromEntries(orders.map((id) => [id, 'pass'])))
    },
  )

  it.runIf(inFull).each([true, false])(
    'has a form that no one can guess (others are rejected: %s)',
    async (strict) => {
      const front = lists(strict, size, page, filter, arrange)
      const { statuses, notes, findings } = await runBy(await blog({ records, front }), ['list.*'])
      expect(notes).toContainEqual(expect.stringContaining('no usual form of an order has an effect: '))
      expect(failed(statuses)).toEqual([])
      expect(statuses['list.pagination-covers']).toBe('pass')
      for (const requirement of orders.slice(0, 3))
        expect(findings).toContainEqual(
          expect.objectContaining({
            requirement,
            status: 'untestable',
            hint: expect.stringContaining('"sort.descending" under "binding" in a target file'),
          }),
        )
    },
  )

  const stated: [string, Record<string, string>][] = [
    ['one of its own', { 'list.sort': 'arrange', 'sort.descending': '{field} down' }],
    [
      'that of the profile',
      { 'list.sort': 'sort', 'sort.ascending': '{field}', 'sort.descending': '-{field}' },
    ],
  ]
  it.each(stated.filter(inSample(4)))(
    'is missed where a target file says in which form it is: %s',
    async (_, form) => {
      const target = join(folder, 'target.json')
      const baseUrl = await blog({ records, front: lists(false, size, page, filter) })
      const binding = {
        'list.perPage': 'limit',
        'list.filter': '',
        'filter.equals': 'filter[{field}]={value}',
        ...form,
      }
      const tables = { plain: { name: 'posts', fields: { title: 'headline' } } }
      writeFileSync(target, JSON.stringify({ baseUrl, binding, tables }))
      const { findings } = await runConformance({ target, seed: 7, only: ['list.sort-orders'] })
      expect(findings).toMatchObject([
        { status: 'fail', message: expect.stringContaining('sorting has no effect') },
      ])
    },
  )
})

describe('lists as frameworks write them', { timeout: 120_000 }, () => {
  const sortOf = (field: string, direction: string) => ({
    sort: `${/^(desc|-1)$/i.test(direction) ? '-' : ''}${field}`,
  })
  /** A name that contains a field, and its value. */
  const inName =
    (form: RegExp, read: (field: string, value: string) => Record<string, string>): Reading =>
    (name, value) => {
      const field = form.exec(name)?.[1]
      return field === undefined ? undefined : read(field, value)
    }
  /** A value that contains a field, and another value. */
  const inValue =
    (of: string, form: RegExp, read: (field: string, value: string) => Record<string, string>): Reading =>
    (name, text) => {
      const [, field, value] = (name === of && form.exec(text)) || []
      return field === undefined || value === undefined ? undefined : read(field, value)
    }
  const equals = (field: string, value: string) => ({ filter: `${field} = '${value}'` })
  const servers: [string, ...Reading[]][] = [
    [
      'Strapi',
      named('populate', 'expand'),
      named('pagination[pageSize]', 'perPage'),
      named('pagination[page]', 'page'),
      inName(/^filters\[(\w+)\]\[\$eq\]$/, equals),
      inValue('sort', /^(\w+):(asc|desc)$/, sortOf),
    ],
    [
      'API Platform',
      named('expand', 'expand'),
      named('itemsPerPage', 'perPage'),
      page,
      inName(/^(headline)$/, equals),
      inName(/^order\[(\w+)\]$/, sortOf),
    ],
    [
      'JSON:API with RQL',
      named('include', 'expand'),
      named('page[size]', 'perPage'),
      named('page[number]', 'page'),
      inValue('filter', /^equals\((\w+),'(.*)'\)$/, equals),
      named('sort', 'sort'),
    ],
    [
      'Payload',
      (name) => (name === 'depth' ? { expand: 'post' } : undefined),
      size,
      page,
      inName(/^where\[(\w+)\]\[equals\]$/, equals),
      named('sort', 'sort'),
    ],
    [
      'Feathers',
      named('$populate', 'expand'),
      named('$limit', 'perPage'),
      named('$page', 'page'),
      inName(/^(headline)$/, equals),
      inName(/^\$sort\[(\w+)\]$/, sortOf),
    ],
    [
      'RSQL in Java',
      named('embed', 'expand'),
      named('size', 'perPage'),
      named('pageNumber', 'page'),
      inValue('search', /^(\w+)=='(.*)'$/, equals),
      inValue('sort', /^(\w+),(asc|desc)$/, sortOf),
    ],
  ]

  it.runIf(inFull).each(servers)('%s', async (_, ...readings) => {
    const front = lists(true, ...readings)
    const only = ['list.per-page', 'list.page', 'list.filter-narrows', ...orders]
    const { statuses, notes } = await runBy(await blog({ records, front }), only)
    expect(notes.filter((note) => note.startsWith('no usual form'))).toEqual([])
    expect(statuses).toEqual(Object.fromEntries(only.map((id) => [id, 'pass'])))
  })
})

describe('conditions on relations', { timeout: 120_000 }, () => {
  const ignored =
    (form: RegExp): Front =>
    async (request, next) => {
      const url = new URL(request.url)
      for (const name of [...url.searchParams.keys()]) if (form.test(name)) url.searchParams.delete(name)
      return lists(false, size, page, filter, bare, orderBy)(await copyOf(request, { url }), next)
    }
  /** `headline=a`, and no other parameters */
  const bare: Reading = (name, value) =>
    /^(headline|body)$/.test(name) ? { filter: `${name} = '${value}'` } : undefined

  it('are judged where a condition is a parameter of its own', async () => {
    const otherwise: Reading = (name, value) =>
      name === 'filter[post]' ? { filter: `post != '${value}'` } : undefined
    const front = lists(true, size, page, otherwise, filter, orderBy)
    const { statuses } = await runBy(await blog({ front }), ['list.filter-all-pages'])
    expect(statuses).toEqual({ 'list.filter-all-pages': 'fail' })
  })

  it.each([/^(filter\[post\]|headline|body)$/, /^filter/].filter(inSample(2)))(
    'are left open where %s is ignored',
    async (form) => {
      const { statuses } = await runBy(await blog({ front: ignored(form) }), ['list.filter-all-pages'])
      expect(statuses).toEqual({ 'list.filter-all-pages': 'pass' })
    },
  )

  it('have an effect', async () => {
    const front = lists(true, size, page, filter, orderBy)
    const { statuses } = await runBy(await blog({ front }), ['list.filter-all-pages'])
    expect(statuses).toEqual({ 'list.filter-all-pages': 'pass' })
  })
})

describe('conditions on values of a type', { timeout: 120_000 }, () => {
  /** What the check says of a server that reads the value of a condition in its own way. */
  async function messagesWhere(field: string, read: (value: string) => string | undefined) {
    const otherwise: Reading = (name, value, query) => {
      const taken = name === `filter[${field}]` ? read(value) : value
      return taken === undefined ? {} : filter(name, taken, query)
    }
    const tables = loadTables().map(({ definition }) => definition)
    const server = await startFronted({ tables }, lists(false, size, page, otherwise, orderBy))
    onTestFinished(() => server.close())
    const target = join(folder, 'target.json')
    const binding = { 'list.filter': '', 'filter.equals': 'filter[{field}]={value}' }
    writeFileSync(target, JSON.stringify({ baseUrl: server.url, binding }))
    const { findings } = await runConformance({ target, seed: 7, only: ['list.filter-all-pages'], runs: 0.1 })
    return findings.map(({ status, message }) => [status, message ?? ''])
  }

  it.each(['number', 'email', 'date'].filter(inSample(3)))(
    'are left open where those on %s are ignored',
    async (field) => {
      expect(await messagesWhere(field, () => undefined)).toEqual([['pass', '']])
    },
  )

  const misread: [string, (value: string) => string | undefined][] = [
    ['a minus sign is lost', (value) => value.replace('-', '')],
    ['0 is ignored', (value) => (value === '0' ? undefined : value)],
  ]
  it.each(misread.filter(inSample(4)))('are judged where %s', async (_, read) => {
    const messages = await messagesWhere('number', read)
    expect(messages).toEqual([['fail', expect.stringContaining('whose number is')]])
  })

  it('may find nothing', async () => {
    expect(await messagesWhere('number', () => '1e300')).toEqual([['pass', '']])
  })
})

describe('a page number', { timeout: 120_000 }, () => {
  /** `turn=2`, which no one can guess. */
  const turn = named('turn', 'page')
  const others = [
    'create.only-one',
    'record.id-unique',
    'delete.removes',
    'list.sort-text',
    'list.total-pages',
  ]

  it.each([false, true].filter(inSample(2)))(
    'has a form that no one can guess (others are rejected: %s)',
    async (strict) => {
      const front = lists(strict, size, turn, filter, orderBy)
      const { statuses, notes } = await runBy(await blog({ records, front }), others)
      expect(notes).toContainEqual(expect.stringContaining('no usual form of a page number has an effect: '))
      expect(failed(statuses)).toEqual([])
    },
  )
})
