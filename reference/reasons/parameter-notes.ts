/**
 * What of `expand`, `fields` and `filter` had no effect, for the log: a wrong name in them is not an error.
 *
 * @module
 */

import { isObject } from '../../exchange/json-object.ts'
import { didYouMean, quoted } from '../../spec/nearest.ts'
import { LimitExceeded, type RejectionReason } from '../errors.ts'
import type { OperationResult } from '../http/respond.ts'
import { defaultLimits } from '../limits/limits.ts'
import { Work } from '../limits/work.ts'
import { follow, stepOf } from '../query/expand.ts'
import { type PathTree, parseExpand } from '../query/parse-expand.ts'
import { parsePick } from '../query/pick.ts'
import type { Scope } from '../query/scope.ts'
import { ruleScope } from '../rules.ts'
import type { RequestContext } from '../services.ts'
import type { Json, Reader, Row, Table } from '../vocabulary.ts'
import { unknownStep } from './unknown-step.ts'

/** Most records whose relations are followed. */
const mostFollowed = 100

/** Notes on the parameters of a request that has this result. A note keeps neither the body nor its records. */
export function parameterNotes(
  context: RequestContext,
  reader: Reader,
  result: OperationResult,
): RejectionReason | undefined {
  const { expand, fields } = context.query
  if (!expand && !fields) return undefined
  const table = reader.table(context.table)
  const shown = recordsOf(result)
  if (table === undefined || shown === undefined) return undefined
  const notes = [
    ...(expand ? [expandNote(context, reader, table, idsOf(shown), expand)] : []),
    ...(fields ? [fieldsNote(table, Object.keys(shown[0] ?? {}), fields)] : []),
  ]
  return () => notes.flatMap((note) => note())
}

type Shown = Readonly<Record<string, Json>>

/** The records of a list, or the one record; undefined for a body of another form. */
function recordsOf(result: OperationResult): readonly Shown[] | undefined {
  if ('list' in result) return result.body.items as Shown[]
  const { body } = result
  return isObject(body) && body.collectionId !== undefined ? [body as Shown] : undefined
}

function idsOf(shown: readonly Shown[]): string[] {
  return shown.slice(0, mostFollowed).map(({ id }) => String(id))
}

/** @param keys of the first record */
function fieldsNote(table: Table, keys: readonly string[], text: string): () => string[] {
  return () => {
    const known = ['collectionId', 'collectionName', 'expand', ...table.fields.map(({ name }) => name)]
    return [...parsePick(text).keys()]
      .filter((name) => name !== '*' && !known.includes(name) && !keys.includes(name))
      .map((name) => `fields: no field ${quoted(name)} in "${table.name}".${didYouMean(name, known)}`)
  }
}

function expandNote(
  context: RequestContext,
  reader: Reader,
  table: Table,
  ids: readonly string[],
  text: string,
): () => string[] {
  const scope = ruleScope(context, reader, table)
  return () => {
    const own: Scope = {
      ...scope,
      work: new Work(defaultLimits),
      request: { ...scope.request, context: 'expand' },
    }
    // A created record is in the state after the request.
    const { current } = context.services.store
    const rows = ids.flatMap((id) => reader.get(table, id) ?? current.get(table, id) ?? [])
    return expandNotes(rows, table, text, own)
  }
}

function expandNotes(rows: readonly Row[], table: Table, text: string, scope: Scope): string[] {
  const notes: string[] = []
  try {
    noteTree(rows, table, parseExpand(text), scope, notes)
  } catch (error) {
    if (!(error instanceof LimitExceeded)) throw error
  }
  return notes
}

/** Adds what is wrong at each step of the paths. */
function noteTree(rows: readonly Row[], table: Table, tree: PathTree, scope: Scope, notes: string[]): void {
  for (const [name, below] of tree) {
    const step = stepOf(table, name, scope)
    if (step === undefined) {
      notes.push(unknownStep(table, name, scope))
      continue
    }
    const visible = follow(rows, step, scope, () => {})
    const reached = [...new Set([...(visible?.values() ?? [])].flat())]
    const all = reached.length > 0 ? 0 : rows.reduce((count, row) => count + [...step.find(row)].length, 0)
    if (all > 0)
      notes.push(`expand: the viewRule of "${step.target.name}" hid ${all} of ${all} expanded records.`)
    if (below.size > 0) noteTree(reached, step.target, below, scope, notes)
  }
}
