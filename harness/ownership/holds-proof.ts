/**
 * What proves that a record is this run's: a mark of the run in it, or the values of the run's last update. Pure, but
 * for `prove`.
 *
 * @module
 */

import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../exchange/json-object.ts'
import type { Api } from '../vocabulary/api.ts'
import { holdsMark, marksIn } from './marks.ts'

/** What a response named as created by this run. */
export interface OwnershipClaim {
  /** Path segment of the table. */
  table: string
  id: string
  /** Marks that the request put into it. */
  marks: readonly string[]
  /** Clients that may see it, tried in this order, after a superuser. */
  viewers: readonly (() => Promise<Api>)[]
  /**
   * The create sent the id, and its response named none: a server that ignores the id has made a record with another one.
   *
   * @default false
   */
  assumed?: boolean
}

/** A record that was claimed, and what is known about it by now. */
export interface KnownRecord extends OwnershipClaim {
  /** Scopes of the checks whose marks prove that it is ours: of this run, or of the killed run that created it. */
  scopes: ReadonlySet<string>
  proven: boolean
  /** Its time of creation when it was proven to be ours. */
  created?: unknown
  /** The body of this run's last update of it. */
  updated?: Readonly<Record<string, unknown>>
  /** Whether a view or a list has shown it, with any content. */
  seen: boolean
}

/**
 * Whether a record, as a response shows it, holds what this run wrote.
 *
 * @param known undefined if no response named the record as created: then any mark of the run counts
 * @param scopes scopes of the checks of this run
 */
export function holdsProof(
  known: KnownRecord | undefined,
  record: unknown,
  scopes: ReadonlySet<string>,
): boolean {
  // A check may have changed its first values, the address of an account for example: any mark of the run is enough.
  if (known !== undefined && (holdsUpdate(known, record) || holdsMark(record, tellingMarks(known))))
    return true
  return marksIn(record, known?.scopes ?? scopes).length > 0
}

/**
 * The marks that prove whose a record is. An id that the run generated proves it only if the run sent no other mark:
 * another client may have deleted the record, and reused its id.
 */
function tellingMarks({ id, marks }: KnownRecord): readonly string[] {
  const strings = marks.filter((mark) => mark !== id.toLowerCase())
  return strings.length > 0 ? strings : marks
}

/** Call it when a view or a list has proven that the record is this run's. */
export function prove(known: KnownRecord, record: unknown): void {
  known.proven = true
  known.created = isObject(record) ? record.created : undefined
}

/**
 * Whether a record is the proven one, by its time of creation, and contains the values of this run's last update, as
 * far as they are shown: passwords never are. Empty values may be shown in any form.
 */
function holdsUpdate({ created, updated = {} }: KnownRecord, record: unknown): boolean {
  if (!isObject(record) || typeof created !== 'string' || record.created !== created) return false
  // A less precise time may also belong to another record.
  if (!/\.\d{3}Z$/.test(created)) return false
  const shown = Object.entries(updated).filter(([key]) => key in record)
  return (
    shown.some(([, value]) => !isEmpty(value)) &&
    shown.every(
      ([key, value]) => isDeepStrictEqual(record[key], value) || (isEmpty(value) && isEmpty(record[key])),
    )
  )
}

const isEmpty = (value: unknown) =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** Minimum length of an id that no server reuses. */
const lastingId = 12

/**
 * Whether a server may reuse the id for another client's record after this run's is deleted: then it is viewed each
 * time.
 */
export function isReusable(id: string): boolean {
  return id.length < lastingId
}
