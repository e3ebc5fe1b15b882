/**
 * The filter language: that no filter takes long on tables that hold something, and that the reference selects and
 * sorts as the suite's own account of the language does (`suites/oracle/`).
 *
 * @module
 */

import fc from 'fast-check'
import { expressions, oracleValues, sortKeys } from '../../../suites/oracle/arbitraries.ts'
import { evaluate } from '../../../suites/oracle/evaluate.ts'
import type { Expression, OracleValues } from '../../../suites/oracle/expression.ts'
import { print } from '../../../suites/oracle/print.ts'
import { compareRecords, printKeys, type SortKey } from '../../../suites/oracle/sort-key.ts'
import { fillBlank } from '../blanks.ts'
import { curlOf } from '../curl-of.ts'
import { expands, filters, heavyFilters, mutatedText, sorts } from '../generate/filters.ts'
import { encoded } from '../generate/queries.ts'
import { Misbehaved } from '../misbehaved.ts'
import type { FuzzedRequest, FuzzRequest, FuzzSession, FuzzTarget } from '../vocabulary.ts'
import { manyName } from '../world/many.ts'
import type { FuzzWorld } from '../world/world.ts'
import type { Runner } from './rounds.ts'
import { structuredRunner } from './structured.ts'

const records = '/api/v1/collections/conf_everything/records'

function list(table: string, query: Record<string, string>): FuzzRequest {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encoded(value)}`)
  return {
    operation: `filter: ${table}`,
    method: 'GET',
    path: `/api/v1/collections/${table}/records?${pairs.join('&')}`,
    headers: [['authorization', fillBlank('auth:members')]],
  }
}

/** Any filter, on the tables in which much can be followed and much can be walked. */
export function filterTimeRunner(target: FuzzTarget, world: FuzzWorld): Runner<FuzzRequest[]> {
  const named = (name: string) => world.tables.find((table) => table.name === name)
  const web = named('conf_web')
  const many = named(manyName)
  if (web === undefined || many === undefined) throw new Error('the world lacks a table of the filters')
  const any = fc.oneof(
    { weight: 5, arbitrary: filters(web) },
    { weight: 2, arbitrary: mutatedText(filters(web)) },
    { weight: 3, arbitrary: heavyFilters },
    { weight: 1, arbitrary: mutatedText(heavyFilters) },
  )
  const onWeb = fc
    .record({ filter: any, sort: sorts(web), expand: expands(web), also: fc.nat({ max: 7 }) })
    .map(({ filter, sort, expand, also }) =>
      list('conf_web', { filter, ...(also === 0 && { sort }), ...(also === 1 && { expand }), perPage: '5' }),
    )
  const onMany = fc
    .record({ filter: fc.oneof(filters(many), heavyFilters), sort: sorts(many), also: fc.boolean() })
    .map(({ filter, sort, also }) => list(manyName, { filter, ...(also && { sort }), perPage: '5' }))
  const query = fc.oneof({ weight: 20, arbitrary: onWeb }, { weight: 1, arbitrary: onMany })
  return structuredRunner(target, world, fc.array(query, { minLength: 1, maxLength: 5 }))
}

interface Question {
  set: OracleValues[]
  filters: Expression[]
  sorts: SortKey[][]
}

const questions = fc.record<Question>({
  set: fc.array(oracleValues, { minLength: 1, maxLength: 10 }),
  filters: fc.array(expressions, { minLength: 1, maxLength: 16 }),
  sorts: fc.array(sortKeys, { maxLength: 4 }),
})

/** Random records, random expressions and sort keys, and the ids that must come back. */
export function agreementRunner(target: FuzzTarget, { tokens }: FuzzWorld): Runner<Question> {
  const authorization = tokens.superuser ?? ''
  const get = (query: string): FuzzedRequest => ({
    method: 'GET',
    path: `${records}?perPage=1000&fields=id&${query}`,
    headers: { authorization },
  })

  async function idsFrom(session: FuzzSession, query: string): Promise<{ ids: string[]; status: number }> {
    const { status, body } = await session.send(get(query))
    const text = Buffer.from(body).toString()
    if (status !== 200) throw new Misbehaved('disagreement', `oracle: status ${status}`, `${query}: ${text}`)
    return { ids: (JSON.parse(text) as { items: { id: string }[] }).items.map(({ id }) => id), status }
  }

  return {
    arbitrary: questions,
    async run({ set, filters: all, sorts: keys }, observer) {
      const session = await target.start()
      const ids = set.map((_, at) => `mine${String(at).padStart(11, '0')}`)
      for (const [at, each] of set.entries())
        await create(session, authorization, { id: ids[at], editor: 'mine', ...each })
      for (const expression of all) {
        const filter = print(expression)
        const found = await idsFrom(session, `filter=${encoded(`editor = "mine" && (${filter})`)}`)
        observer.count('filter: oracle', found.status, true)
        const expected = ids.filter((_, at) => evaluate(expression, set[at] as OracleValues))
        if (found.ids.toSorted().join() === expected.join()) continue
        throw new Misbehaved(
          'disagreement',
          'oracle: filter',
          `${filter} selects ${found.ids}, the oracle says ${expected}`,
        )
      }
      for (const sort of keys) {
        // Equal records keep no order that anyone promises: the id decides.
        const found = await idsFrom(
          session,
          `filter=${encoded('editor = "mine"')}&sort=${encoded(`${printKeys(sort)},id`)}`,
        )
        observer.count('sort: oracle', found.status, true)
        const rows = set.map((each, at) => ({ ...each, id: ids[at] as string }))
        const order = [...sort, { field: 'id', descending: false }]
        const expected = rows
          .toSorted((left, right) => compareRecords(left, right, order))
          .map(({ id }) => id)
        if (found.ids.join() === expected.join()) continue
        throw new Misbehaved(
          'disagreement',
          'oracle: sort',
          `${printKeys(sort)} gives ${found.ids}, the oracle says ${expected}`,
        )
      }
    },
    show: ({ set, filters: all, sorts: keys }) => [
      ...set.map((each, at) => `record ${at}: ${JSON.stringify(each)}`),
      ...all.map((each) => curlOf(get(`filter=${encoded(print(each))}`))),
      ...keys.map((each) => `sort=${printKeys(each)}`),
    ],
    close: async () => {},
  }
}

async function create(session: FuzzSession, authorization: string, body: unknown): Promise<void> {
  const headers = { authorization, 'content-type': 'application/json' }
  const made = await session.send({
    method: 'POST',
    path: records,
    headers,
    body: Buffer.from(JSON.stringify(body)),
  })
  if (made.status !== 200)
    throw new Misbehaved(
      'disagreement',
      'oracle: record',
      `${JSON.stringify(body)}: ${Buffer.from(made.body)}`,
    )
}
