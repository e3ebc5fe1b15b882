/**
 * Each key of each response, of every operation: left out, altered, empty, or another record's.
 *
 * @module
 */

import { isDeepStrictEqual } from 'node:util'
import type { OperationId } from '../../../spec/vocabulary.ts'
import { isObject, type Json } from '../../combinators/combinators.ts'
import type { Breach, Seen } from '../breach.ts'
import { type Change, changesResponse } from '../changes-response.ts'
import { describedPlaces } from '../described-places.ts'
import { nodesAt, outcomeOf, type Recording } from '../recording.ts'
import { type Node, nodesOf } from '../walk.ts'

/** Stands for: the key is left out. */
const dropped = Symbol('dropped')

/** A value in place of another. */
type Alter = (value: unknown) => unknown

const alterations: Readonly<Record<string, Alter>> = {
  dropped: () => dropped,
  altered,
  'of another type': ofAnotherType,
  zero: () => 0,
  'an empty string': () => '',
  false: () => false,
  null: () => null,
  'an empty array': () => [],
  'an empty object': () => ({}),
}

/** Another value of the same type. */
function altered(value: unknown): unknown {
  if (typeof value === 'string') return /^\d{4}-/.test(value) ? `1999${value.slice(4)}` : `${value}x`
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  if (Array.isArray(value)) return value.length === 0 ? ['x'] : value.slice(1)
  if (isObject(value)) {
    const [first, ...others] = Object.entries(value)
    return first === undefined ? { x: 1 } : Object.fromEntries(others)
  }
  return 'x'
}

function ofAnotherType(value: unknown): unknown {
  if (typeof value === 'string') return 12_345
  if (Array.isArray(value)) return Object.fromEntries(value.entries())
  if (isObject(value)) return [value]
  return value === null ? 0 : String(value)
}

/** The keys of a response, by their places. Those of a recorded one are known already. */
type Find = (seen: Seen, place: string) => readonly Node[]

const findIn: Find = (seen, place) => nodesOf(seen).filter((node) => node.place === place)

export function keyBreaches({ places }: Recording): Breach[] {
  const keys = new Set([...places.keys(), ...describedPlaces()])
  return [...keys].sort().flatMap((key) => {
    const [operation, outcome = '', place = ''] = key.split(' ') as [OperationId, string?, string?]
    const breach = (mutation: string, change: (find: Find) => Change): Breach => ({
      ...changesResponse(operation, () => only(outcome, change(findIn))),
      name: `${operation} · ${outcome} ${place} · ${mutation}`,
      kind: 'key',
      operation,
      place: key,
      watch() {
        const changed = change(nodesAt)
        return (seen) => changed(seen) !== undefined
      },
    })
    return [
      ...Object.entries(alterations).map(([mutation, alter]) =>
        breach(mutation, (find) => (seen) => changedAt(find(seen, place), seen, alter)),
      ),
      breach('of another record', (find) => fromAnother(place, find)),
    ]
  })
}

const only =
  (outcome: string, change: Change): Change =>
  (seen) =>
    outcomeOf(seen.status) === outcome ? change(seen) : undefined

/** Changes the value of every node, in a copy of the body. */
function changedAt(found: readonly Node[], seen: Seen, alter: Alter): ReturnType<Change> {
  const values = new Map(
    found
      .map((node) => [node, alter(node.parent[node.key])] as const)
      .filter(([{ parent, key }, value]) => !isDeepStrictEqual(parent[key], value)),
  )
  if (values.size === 0) return undefined
  return { status: seen.status, body: copied(seen.body, [...values]) }
}

/** The same body with other values at some keys. Nothing of the original is touched. */
function copied(body: unknown, values: readonly (readonly [Node, unknown])[]): unknown {
  const inParent = new Map<Json, Map<string, unknown>>()
  for (const [{ parent, key }, value] of values) {
    const known = inParent.get(parent) ?? new Map<string, unknown>()
    inParent.set(parent, known.set(key, value))
  }
  const copy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copy)
    if (!isObject(value)) return value
    const here = inParent.get(value)
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, each]) => {
        if (here?.has(key) !== true) return [[key, copy(each)]]
        const other = here.get(key)
        return other === dropped ? [] : [[key, other]]
      }),
    )
  }
  return copy(body)
}

/** The value that the same key had in the record before, where that was another. */
function fromAnother(place: string, find: Find): Change {
  let last: unknown = dropped
  return (seen) =>
    changedAt(find(seen, place), seen, (value) => {
      const other = last
      last = value
      return other === dropped ? value : other
    })
}
