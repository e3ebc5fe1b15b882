/** Defects of lists that show only after an update: filters, orders and expansions that keep what was there before. */

import {
  all,
  another,
  type JsonValue,
  listItems,
  on,
  reorder,
  tamper,
  tamperRecord,
} from './combinators/combinators.ts'
import { tamperExpand } from './combinators/query.ts'
import { type FaultTools, fault, type Middleware } from './fault.ts'

type Make = (tools: FaultTools) => Middleware

const queryOf = (request: Request) => new URL(request.url).searchParams

/** Keeps each record as it was before its first update. */
const keepsFirst =
  (lists: (first: ReadonlyMap<unknown, JsonValue>) => Make): Make =>
  (tools) => {
    const first = new Map<unknown, JsonValue>()
    const keep = on('updateRecord', async (request, next, { id = '' }) => {
      const view = await tools.asSuperuser(another(request, 'GET', new URL(request.url).pathname))
      const response = await next(request)
      if (view.ok && response.ok && !first.has(id)) first.set(id, (await view.json()) as JsonValue)
      return response
    })
    return all(keep, lists(first))(tools)
  }

for (const [table, field] of [
  ['conf_plain', 'title'],
  ['conf_related', 'name'],
  ['conf_everything', 'text'],
] as const) {
  fault(
    `filters do not find what an update of ${table} wrote`,
    { trips: ['list.filter-all-pages'] },
    keepsFirst((first) =>
      tamper('listRecords', (body, request, match) =>
        match.table === table && queryOf(request).has('filter')
          ? { ...body, items: listItems(body).filter(({ id }) => !first.has(id)) }
          : body,
      ),
    ),
  )
  fault(
    `filters find what an update of ${table} replaced`,
    { trips: ['list.filter-all-pages'] },
    keepsFirst((first) =>
      tamper('listRecords', (body, request, match) => {
        const filter = queryOf(request).get('filter')
        const replaced = [...first.values()].filter((each) => `${field} = "${each[field]}"` === filter)
        return match.table === table ? { ...body, items: [...listItems(body), ...replaced] } : body
      }),
    ),
  )
}

fault(
  'filters know what the first update of a record wrote, and not what later ones write',
  { trips: ['list.filter-all-pages'] },
  (tools) => {
    const first = new Map<unknown, JsonValue>()
    const keep = on('updateRecord', async (request, next, { id = '' }) => {
      const response = await next(request)
      if (response.ok && !first.has(id)) first.set(id, (await response.clone().json()) as JsonValue)
      return response
    })
    const lists = tamper('listRecords', (body, request) => {
      const [, field = '', value] =
        /^(title|name|text) = "(.*)"$/.exec(queryOf(request).get('filter') ?? '') ?? []
      if (value === undefined) return body
      const others = listItems(body).filter(({ id }) => !first.has(id))
      return { ...body, items: [...others, ...[...first.values()].filter((each) => each[field] === value)] }
    })
    return all(lists, keep)(tools)
  },
)
fault(
  'lists are kept until a write that is not in a batch',
  { trips: ['list.filter-all-pages'] },
  (tools) => {
    const kept = new Map<string, Response>()
    const lists = on('listRecords', async (request, next) => {
      const key = `${request.url} ${request.headers.get('authorization')}`
      const response = kept.get(key) ?? (await next(request))
      kept.set(key, response)
      return response.clone()
    })
    const writes = on(['createRecord', 'updateRecord', 'deleteRecord'], (request, next) => {
      kept.clear()
      return next(request)
    })
    return all(lists, writes)(tools)
  },
)

fault(
  'a list is ordered by what updates replaced',
  { trips: ['list.sort-orders'] },
  keepsFirst((first) =>
    reorder((items, request) => {
      const sort = queryOf(request).get('sort') ?? ''
      if (!/^-?rank$/.test(sort)) return items
      const rankOf = (item: JsonValue) => Number((first.get(item.id) ?? item).rank)
      const sign = sort.startsWith('-') ? -1 : 1
      return items.toSorted((left, right) => sign * (rankOf(left) - rankOf(right)))
    }),
  ),
)
fault('expanded records are as they were first expanded', { trips: ['list.expand-relation'] }, (tools) => {
  const first = new Map<unknown, unknown>()
  return tamperExpand((expand) => {
    const kept = Object.entries(expand).map(([name, value]) => {
      const { id } = value as JsonValue
      if (!first.has(id)) first.set(id, value)
      return [name, first.get(id)]
    })
    return Object.fromEntries(kept)
  })(tools)
})

/** Knows the address that each account had before it was changed last. */
const remembersEmails =
  (lists: (former: ReadonlyMap<unknown, unknown>) => Make): Make =>
  (tools) => {
    const [now, former] = [new Map<unknown, unknown>(), new Map<unknown, unknown>()]
    const keep = tamperRecord('*', (record) => {
      const { id, email } = record
      if (typeof email !== 'string' || !String(record.collectionName).includes('members')) return record
      if (now.has(id) && now.get(id) !== email) former.set(id, now.get(id))
      now.set(id, email)
      return record
    })
    return all(lists(former), keep)(tools)
  }

const emailEnds = { trips: ['list.filter-all-pages', 'email-change.confirms'] }
fault(
  'lists of accounts show their former addresses',
  emailEnds,
  remembersEmails((former) =>
    reorder((items) =>
      items.map((item) => (former.has(item.id) ? { ...item, email: former.get(item.id) } : item)),
    ),
  ),
)
fault(
  'filters find accounts by their former addresses',
  emailEnds,
  remembersEmails((former) =>
    on('listRecords', async (request, next, { table = '' }) => {
      const url = new URL(request.url)
      const filter = url.searchParams.get('filter') ?? ''
      const [id] = [...former].find(([, email]) => filter === `email = "${email}"`) ?? []
      if (id === undefined || !table.includes('members')) return next(request)
      url.searchParams.set('filter', `id = "${id}"`)
      return next(another(request, 'GET', url.href))
    }),
  ),
)
fault(
  'filters do not find accounts by their new addresses',
  emailEnds,
  remembersEmails((former) =>
    reorder((items, request) =>
      (queryOf(request).get('filter') ?? '').startsWith('email = ')
        ? items.filter(({ id }) => !former.has(id))
        : items,
    ),
  ),
)
