import type { KeyAction } from '../../spec/vocabulary.ts'
import type { Work } from '../limits/work.ts'
import type { Reader, RequestInfo, Row, Table } from '../vocabulary.ts'

/** What an expression can read in addition to the row: one request at one moment. */
export interface Scope {
  reader: Reader
  /** Table of the request; the rows under test are rows of it. */
  table: Table
  request: RequestInfo
  /** Milliseconds since the epoch: the clock of macros and of `strftime('now')`. */
  now: number
  /** True: table rules and hidden fields do not limit the caller. */
  superuser: boolean
  /** The record before the change, if the rule is evaluated for a virtual row; for `:changed`. */
  stored?: Row
  /** The cost of the request so far. */
  work: Work
}

/** Table of the signed-in record, if any: names below `@request.auth` are resolved against it. */
export function callerTable(request: RequestInfo): Table | undefined {
  const { caller } = request
  return caller.kind === 'record' || caller.kind === 'superuser' ? caller.table : undefined
}

/** The signed-in record, if any. */
export function callerRow(request: RequestInfo): Row | undefined {
  const { caller } = request
  return caller.kind === 'record' || caller.kind === 'superuser' ? caller.row : undefined
}

/** True if the caller is an API key whose scope includes this action on this table: its rules do not apply. */
export function keyCovers(request: Pick<RequestInfo, 'caller'>, table: Table, action: KeyAction): boolean {
  const { caller } = request
  // System tables (superusers and the like) are in no scope, `*` included.
  if (caller.kind !== 'key' || table.system) return false
  const { tables, actions } = caller.key
  const named = tables.some((name) => {
    return name === '*' || name === table.id || name.toLowerCase() === table.name.toLowerCase()
  })
  return named && actions.includes(action)
}
