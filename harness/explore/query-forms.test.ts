import { describe, expect, it } from 'vitest'
import { standardBinding } from '../../spec/gaps.ts'
import type { Binding } from '../../spec/vocabulary.ts'
import type { Query } from '../vocabulary/api.ts'
import type { QueryPart } from '../vocabulary/target.ts'
import { conditionText, orderText, queryText } from '../wire/query-text.ts'
import { expansionForms, queryForms } from './query-forms.ts'
import { type QueryTrial, queryParts, type Row } from './query-parts.ts'

const standard = standardBinding()
const rows: [Row, Row, Row] = [
  { id: '1', title: 'b-try-1' },
  { id: '2', title: 'a-try-2' },
  { id: '3', title: 'c-try-3' },
]

/** A trial of a server that takes one form of one part, and ignores all others, or rejects them. */
function trialOf(
  taken: Binding,
  ignores: boolean,
  extra: (text: string) => Row[] | undefined = () => undefined,
) {
  const binding = { ...standard, ...taken }
  const meanings = new Map<string, (found: Row[]) => Row[]>()
  const mean = (query: Query, change: (found: Row[]) => Row[]) =>
    meanings.set(queryText(binding, query), change)
  for (const size of [1, 5]) mean({ perPage: size }, (found) => found.slice(0, size))
  for (const page of [1, 2]) mean({ perPage: 1, page }, (found) => found.slice(page - 1, page))
  for (const { title } of rows)
    mean({ filter: conditionText(binding, 'title', title) }, (found) =>
      found.filter((row) => row.title === title),
    )
  const upwards = (found: Row[]) => found.toSorted((one, other) => (one.title < other.title ? -1 : 1))
  mean({ sort: orderText(binding, 'title', 'ascending') }, upwards)
  mean({ sort: orderText(binding, 'title', 'descending') }, (found) => upwards(found).toReversed())
  mean({ filter: conditionText(binding, 'title', 'no-b-try-1') }, () => [])
  mean({ filter: conditionText(binding, 'title', 'b-try-') }, () => [])
  const trial: QueryTrial = {
    list: async (form, query) => {
      // What is known of pages already is not what these tests are about.
      const { perPage, ...others } = query
      const text = queryText(form, 'sort' in query ? others : query)
      const found = extra(text) ?? meanings.get(text)?.([...rows])
      if (found === undefined && text !== '' && !ignores) return undefined
      return { rows: found ?? [...rows], page: 1, perPage: 30 }
    },
    field: 'title',
    rows,
    silent: [],
  }
  return trial
}

async function found(what: QueryPart, trial: QueryTrial): Promise<Binding | undefined> {
  const part = queryParts.find((each) => each.what === what)
  if (part === undefined) throw new Error(what)
  for (const form of [{}, ...queryForms[part.what]])
    if ((await part.fits({ ...standard, ...form }, trial)) === true) return form
  return undefined
}

describe.each(['page size', 'page number', 'filter', 'order'] as const)('the forms of the %s', (what) => {
  const forms = queryForms[what].map((form) => [JSON.stringify(form), form] as const)
  // Each form is tried after all before it.
  const sample = forms.filter((_, at) => forms.length < 200 || at % 7 === 0)

  it('are listed once each', () => {
    expect(new Set(forms.map(([text]) => text)).size).toBe(forms.length)
  })

  it.each([true, false])('are each found, whether the others are ignored (%s)', async (ignores) => {
    for (const [text, form] of sample) {
      const trial = trialOf(form, ignores)
      expect(JSON.stringify(await found(what, trial)), text).toBe(text)
    }
  })
})

it.each([
  ['part of a text', ['b-try-1', 'b-try-'], '?title='],
  ['any field', ['b-try-1'], '?notitle='],
])('a parameter that searches for %s is not taken for a filter', async (_, values, start) => {
  const form = { 'list.filter': '', 'filter.equals': '{field}={value}' }
  const trial = trialOf(form, true, (text) =>
    values.some((value) => text === `${start}${value}`) ? [rows[0]] : undefined,
  )
  expect(await found('filter', trial)).toBeUndefined()
})

it('the forms of an expansion name the relation, or its field', () => {
  const [first, ...others] = expansionForms('authorId')
  expect(first).toEqual({ 'expand.relation': 'author' })
  expect(others).toContainEqual({ 'list.expand': 'populate', 'expand.relation': 'author' })
  expect(others).toContainEqual({ 'list.expand': '', 'expand.relation': 'populate[{field}]=true' })
  expect(expansionForms('author')[0]).toEqual({ 'list.expand': 'include', 'expand.relation': '{field}' })
  const all = expansionForms('authorId').map((form) => JSON.stringify(form))
  expect(new Set(all).size).toBe(all.length)
})
