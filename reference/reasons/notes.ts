/**
 * What of an accepted request was probably a mistake, for the log: the response must stay as it is. As with reasons, the
 * lines are written only when the log is read.
 *
 * @module
 */

import { countOf } from '../../spec/count-of.ts'
import { didYouMean, nearest, quoted } from '../../spec/nearest.ts'
import { callerAtPresent } from '../auth/token-fault.ts'
import { LimitExceeded, type RejectionReason } from '../errors.ts'
import type { SubmittedBody } from '../http/read-body.ts'
import { defaultLimits } from '../limits/limits.ts'
import { Work } from '../limits/work.ts'
import type { CompileMode } from '../query/compilation.ts'
import { compileFilter, optionsFor } from '../query/compile.ts'
import { explainRule } from '../query/explain.ts'
import type { Scope } from '../query/scope.ts'
import type { RequestContext } from '../services.ts'
import { lostValueNotes } from '../state/lost-value.ts'
import type { Reader, Row, Table } from '../vocabulary.ts'
import { keysWithoutField } from './keys-without-field.ts'

/** What of a body was not kept: keys without a field, and values that fields changed into their zero value. */
export function unkeptParts(table: Table, submitted: SubmittedBody): RejectionReason | undefined {
  const ignored = ignoredKeys(table, submitted)
  const lost = lostValueNotes(table, submitted.values)
  return lost.length === 0 ? ignored : () => [...(ignored?.() ?? []), ...lost]
}

/** Keys of a body that no field has and no rule of the table reads. */
function ignoredKeys(table: Table, { values, files }: SubmittedBody): RejectionReason | undefined {
  const keys = keysWithoutField(
    table,
    files.size === 0 ? values : { ...values, ...Object.fromEntries(files) },
  )
  if (keys.length === 0) return undefined
  return () => {
    const fields = table.fields.map(({ name }) => name)
    return keys
      .filter((key) => !isInRule(table, `@request.body.${key}`))
      .map(
        (key) =>
          `${quoted(key)} is not a field of "${table.name}" and was ignored.${didYouMean(key, fields)}`,
      )
  }
}

const parametersOfList = ['page', 'perPage', 'sort', 'filter', 'expand', 'fields', 'skipTotal']
const parametersOfRecord = ['expand', 'fields']

/** What other interfaces call the parameters of a list, in lower case and without signs. */
const otherNames: Readonly<Record<string, string>> = {
  ...{
    limit: 'perPage',
    size: 'perPage',
    pagesize: 'perPage',
    take: 'perPage',
    where: 'filter',
    q: 'filter',
  },
  ...{
    order: 'sort',
    orderby: 'sort',
    sortby: 'sort',
    include: 'expand',
    populate: 'expand',
    with: 'expand',
  },
}

/** The known parameter that one of another interface stands for: `filter` for `filter[title]`. */
function otherName(key: string): string | undefined {
  const letters = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '')
  const [name = ''] = key.split('[')
  const whole = otherNames[letters(key)]
  if (whole !== undefined) return whole
  return name !== key && parametersOfList.includes(name) ? name : otherNames[letters(name)]
}

/** Query parameters that the operation does not know, with names that resemble a known one. */
export function misspelledParameters(
  { method, id, query, table: name }: Pick<RequestContext, 'method' | 'id' | 'query' | 'table'>,
  reader: Reader,
): RejectionReason | undefined {
  const known = method === 'GET' && id === '' ? parametersOfList : parametersOfRecord
  const unknown = Object.keys(query).filter((key) => !known.includes(key))
  if (unknown.length === 0) return undefined
  return () =>
    unknown.flatMap((key) => {
      // Fewer edits than in other hints: an application may have parameters of its own, which its rules read.
      const other = otherName(key)
      const isOther = other !== undefined && known.includes(other)
      const near = isOther ? other : nearest(key, known, Math.max(2, Math.ceil(key.length * 0.4)))
      const table = reader.table(name)
      if (near === undefined || (table && isInRule(table, `@request.query.${key}`))) return []
      return `The query parameter ${quoted(key)} was ignored. Did you mean "${near}"?`
    })
}

function isInRule(table: Table, reference: string): boolean {
  return (['listRule', 'viewRule', 'createRule', 'updateRule', 'deleteRule'] as const).some((rule) =>
    table.rule(rule)?.includes(reference),
  )
}

/** Most records that are visited: with `--log`, every empty list is explained. */
const mostVisited = 2_000

/** How many records a listRule left out of a list that is empty, and the comparisons of the first one. */
export function leftOut(context: RequestContext, rule: string, scope: Scope): RejectionReason {
  const caller = callerAtPresent(context)
  const { name } = scope.table
  return () => {
    const { filter = '' } = context.query
    const { count, first, cut } = matching(filter, scope)
    if (first === undefined) return hiddenRelated(filter, scope, caller())
    const records = `${cut ? 'at least' : `${count} of`} ${countOf(count, 'record')}`
    const which = filter === '' ? '' : ' matching the filter'
    return [
      `listRule of "${name}" left out ${records}${which}, for ${caller()}: ${rule}`,
      ...explainRule(rule, first, scope).map((line) => `  ${line}`),
    ]
  }
}

/** Records that the filter would match if no rule hid the related records that it compares. */
function hiddenRelated(filter: string, scope: Scope, caller: string): string[] {
  const { table, reader } = scope
  const tables = [...filter.matchAll(/\b(\w+)\./g)].flatMap(([, step = '']) => {
    const definition = table.field(step)?.definition
    const target = definition?.type === 'relation' ? reader.table(definition.collectionId) : undefined
    return target !== undefined && target.rule('listRule') !== '' ? [target] : []
  })
  if (tables.length === 0) return []
  const { count } = matching(filter, scope, 'superuser')
  if (count === 0) return []
  return [...new Set(tables)].map(
    (target) =>
      `The filter matches ${countOf(count, 'record')} of "${table.name}", but the listRule of "${target.name}" hides related records from ${caller}: ${target.rule('listRule')}`,
  )
}

interface Matching {
  count: number
  first?: Row
  /** Not all records were visited. */
  cut: boolean
}

/** The rows that match a filter, whatever the rule says. Its cost is not counted as work of the request. */
function matching(filter: string, scope: Scope, mode: CompileMode = 'client'): Matching {
  const { reader, table } = scope
  const own = { ...scope, work: new Work(defaultLimits) }
  const matches =
    filter === '' ? () => true : compileFilter(filter, optionsFor(own, table, mode)).matcher(own)
  const found: Matching = { count: 0, cut: reader.count(table) > mostVisited }
  let visited = 0
  try {
    for (const row of reader.scan(table)) {
      own.work.endPiece()
      if (matches(row)) {
        found.first ??= row
        found.count += 1
      }
      visited += 1
      if (visited === mostVisited) break
    }
  } catch (error) {
    if (!(error instanceof LimitExceeded)) throw error
    found.cut = true
  }
  return found
}
