/**
 * What of `expand`, `fields` and `filter` had no effect, for the log: a wrong name in them is not an error.
 *
 * @module
 */

import { isObject } from '../../exchange/json-object.ts'
import { didYouMean, quoted } from '../../spec/nearest.ts'
import { LimitExceeded, type RejectionReason } from '../errors.ts'
import { defaultLimits } from '../limits/limits.ts'
import { Work } from '../limits/work.ts'
import { follow, stepOf } from '../query/expand.ts'
import { type PathTree, parseExpand } from '../query/parse-expand.ts'
import { parsePick } from '../query/pick.ts'
import type { Scope } from '../query/scope.ts'
import { ruleScope } from '../rules.ts'
import type { RequestContext } from '../services.ts'
import type { Json, Reader, Row, Table } from '../vocabulary.ts'

/** Most records whose relations are followed. */
const mostFollowed = 100

/** Notes on the parameters of a request whose response has this body. */
export function parameterNotes(
  context: RequestContext,
  reader: Reader,
  body: Json | undefined,
): RejectionReason | undefined {
  const { expand, fields } = context.query
  const table = expand || fields ? reader.table(context.table) : undefined
  const shown = recordsIn(body)
  if (table === undefined || shown === undefined) return undefined
  const scope = ruleScope(context, reader, table)
  return () => {
    const own = { ...scope, work: new Work(defaultLimits), request: { ...scope.request, context: 'expand' } }
    // A created record is in the state after the request.
    const { current } = context.services.store
    const rows = shown
      .slice(0, mostFollowed)
      .flatMap(({ id }) => reader.get(table, String(id)) ?? current.get(table, String(id)) ?? [])
    return [
      ...(expand ? expandNotes(rows, table, expand, own as Scope) : []),
      ...(fields ? fieldsNotes(table, shown, fields) : []),
    ]
  }
}

type Shown = Readonly<Record<string, Json>>

/** The records of a list, or the one record; undefined for a body of another form. */
function recordsIn(body: Json | undefined): Shown[] | undefined {
  if (!isObject(body)) return undefined
  const { items, collectionId } = body as Shown
  if (Array.isArray(items)) return items.filter(isObject) as Shown[]
  return collectionId === undefined ? undefined : [body as Shown]
}

function fieldsNotes(table: Table, shown: readonly Shown[], text: string): string[] {
  const [first = {}] = shown
  const known = ['collectionId', 'collectionName', 'expand', ...table.fields.map(({ name }) => name)]
  return [...parsePick(text).keys()]
    .filter((name) => name !== '*' && !known.includes(name) && !Object.hasOwn(first, name))
    .map((name) => `fields: no field ${quoted(name)} in "${table.name}".${didYouMean(name, known)}`)
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
      const relations = table.fields.filter(({ type, hidden }) => type === 'relation' && !hidden)
      const hint = didYouMean(
        name,
        relations.map((field) => field.name),
      )
      const hidden = table.field(name)?.hidden && table.field(name)?.type === 'relation'
      notes.push(
        hidden
          ? `expand: ${quoted(name)} of "${table.name}" is hidden from all but superusers.`
          : `expand: ${quoted(name)} is not a relation of "${table.name}".${hint}`,
      )
      continue
    }
    const all = rows.reduce((count, row) => count + [...step.find(row)].length, 0)
    const visible = follow(rows, step, scope, () => {})
    const reached = [...new Set([...(visible?.values() ?? [])].flat())]
    if (all > 0 && reached.length === 0)
      notes.push(`expand: the viewRule of "${step.target.name}" hid ${all} of ${all} expanded records.`)
    if (below.size > 0) noteTree(reached, step.target, below, scope, notes)
  }
}
