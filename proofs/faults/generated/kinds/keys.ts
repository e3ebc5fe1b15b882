/**
 * Each key of each response, of every operation: left out, altered, empty, or another record's.
 *
 * @module
 */

import { isDeepStrictEqual } from 'node:util'
import type { OperationId } from '../../../../spec/vocabulary.ts'
import { isJsonObject, type JsonValue } from '../../combinators/combinators.ts'
import { type Alter, alterations, dropped } from '../alterations.ts'
import type { Breach, Seen } from '../breach.ts'
import { changesResponse, type ResponseChange } from '../changes-response.ts'
import { describedPlaces } from '../described-places.ts'
import { nodesByPlace, outcomeOf, type RecordedTraffic } from '../recording.ts'
import type { SchemaNode } from '../schema-nodes.ts'

export function keyBreaches({ places }: RecordedTraffic): Breach[] {
  const keys = new Set([...places.keys(), ...describedPlaces()])
  return [...keys].sort().flatMap((key) => {
    const [operation, outcome = '', place = ''] = key.split(' ') as [OperationId, string?, string?]
    const breach = (mutation: string, change: () => ResponseChange): Breach => ({
      ...changesResponse(operation, () => only(outcome, change())),
      name: `${operation} · ${outcome} ${place} · ${mutation}`,
      kind: 'key',
      operation,
      place: key,
    })
    // Described, and not in the traffic: most of these a response must not have.
    if (!places.has(key))
      return [{ ...breach('added', () => (seen) => added(place, seen)), place: undefined }]
    return [
      ...Object.entries(alterations).map(([mutation, alter]) =>
        breach(mutation, () => (seen) => changedAt(place, seen, alter)),
      ),
      breach('of another record', () => fromAnother(place)),
    ]
  })
}

const only =
  (outcome: string, change: ResponseChange): ResponseChange =>
  (seen) =>
    outcomeOf(seen.status) === outcome ? change(seen) : undefined

/** Gives a key to the objects that have other keys at the same place. */
function added(place: string, seen: Seen): ReturnType<ResponseChange> {
  const [inside, key] = split(place)
  const siblings = [...nodesByPlace(seen)].filter(([other]) => split(other)[0] === inside)
  const parents = new Set(siblings.flatMap(([, found]) => found.map(({ parent }) => parent)))
  if (parents.size === 0) return undefined
  const more = new Map([...parents].map((parent) => [parent, new Map([[key, 'a'.repeat(50)]])]))
  return { status: seen.status, body: withKeys(seen.body, more) }
}

/** `record.email`: what holds the key, and the key. */
function split(place: string): [inside: string, key: string] {
  const at = place.lastIndexOf('.')
  return [place.slice(0, Math.max(0, at)), place.slice(at + 1)]
}

/** Changes every value at a place, in a copy of the body. */
function changedAt(place: string, seen: Seen, alter: Alter): ReturnType<ResponseChange> {
  const values = new Map(
    (nodesByPlace(seen).get(place) ?? [])
      .map((node) => [node, alter(node.parent[node.key])] as const)
      .filter(([{ parent, key }, value]) => !isDeepStrictEqual(parent[key], value)),
  )
  if (values.size === 0) return undefined
  return { status: seen.status, body: copied(seen.body, [...values]) }
}

/** The same body with other values at some keys. Nothing of the original is touched. */
function copied(body: unknown, values: readonly (readonly [SchemaNode, unknown])[]): unknown {
  const inParent = new Map<JsonValue, Map<string, unknown>>()
  for (const [{ parent, key }, value] of values) {
    const known = inParent.get(parent) ?? new Map<string, unknown>()
    inParent.set(parent, known.set(key, value))
  }
  return withKeys(body, inParent)
}

/** A copy whose objects have other keys, where they have any. */
function withKeys(body: unknown, others: ReadonlyMap<JsonValue, ReadonlyMap<string, unknown>>): unknown {
  if (Array.isArray(body)) return body.map((each) => withKeys(each, others))
  if (!isJsonObject(body)) return body
  const here = others.get(body) ?? new Map<string, unknown>()
  const kept = Object.entries(body)
    .filter(([key]) => !here.has(key))
    .map(([key, each]) => [key, withKeys(each, others)] as const)
  // In the place of the old key, where there was one: `here` keeps its own order otherwise.
  return Object.fromEntries([...kept, ...[...here].filter(([, value]) => value !== dropped)])
}

/** The value that the same key had in the record before, where that was another. */
function fromAnother(place: string): ResponseChange {
  let last: unknown = dropped
  return (seen) =>
    changedAt(place, seen, (value) => {
      const other = last
      last = value
      return other === dropped ? value : other
    })
}
