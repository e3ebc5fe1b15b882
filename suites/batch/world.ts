/**
 * A small world for batches: records of several tables that carry a marker, some of them referring to each other,
 * read as a whole before and after.
 *
 * @module
 */

import type { Api, CheckContext, SubRequest, WireRecord } from '../../harness/vocabulary.ts'
import { readTable } from '../records/read-table.ts'
import { subRequests } from './entries.ts'

/** Tables of the world by role, and the text field that carries the marker. */
const MARKED = {
  plain: 'title',
  cascading: 'label',
  loose: 'label',
  unique: 'code',
  everything: 'text',
} as const
export type Role = keyof typeof MARKED
const ROLES = Object.keys(MARKED) as Role[]

/** Everything that carries the marker, by `role/id`. */
export type Snapshot = Map<string, WireRecord>

export async function snapshot({ table }: CheckContext, api: Api, marker: string): Promise<Snapshot> {
  const all: Snapshot = new Map()
  for (const role of ROLES) {
    const records = await readTable(api, table(role), (record) =>
      String(record[MARKED[role]]).startsWith(marker),
    )
    for (const [id, record] of records) all.set(`${role}/${id}`, record)
  }
  return all
}

/**
 * A parent in `plain` with a child that would go with it and one that would lose it, a record with a unique code, two
 * with values of many types.
 */
export async function makeWorld({ make, table }: CheckContext, marker: string): Promise<void> {
  const parent = await make(table('plain'), { title: `${marker} parent` })
  await make(table('cascading'), { label: `${marker} child`, parent: parent.id })
  await make(table('loose'), { label: `${marker} loose`, one: parent.id, many: [parent.id] })
  await make(table('unique'), { code: `${marker}-taken` })
  for (const number of [1, 2]) {
    await make(table('everything'), {
      text: `${marker} ${number}`,
      number,
      json: { number },
      selects: ['a', 'b'],
    })
  }
}

/** One step of a batch, in plain data, so that it shrinks well: choices are taken modulo what there is. */
export interface Step {
  does: 'create' | 'update' | 'delete'
  role: Role
  choice: number
  number: number
}

/** What the steps must lead to when the whole batch succeeds. */
export interface Effects {
  requests: SubRequest[]
  /** `role/marked text` → fields that the new record has. */
  created: Map<string, Record<string, unknown>>
  /** `role/id` → fields that the record has afterwards. */
  updated: Map<string, Record<string, unknown>>
  deleted: Set<string>
}

/**
 * Sub-requests for the steps. Updates and deletes aim at records that the batch has not deleted; a step without a
 * target becomes a create. `spare` names records that must not be deleted (others refer to them).
 */
export function planSteps(
  { api, table }: Pick<CheckContext, 'api' | 'table'>,
  steps: readonly Step[],
  before: Snapshot,
  marker: string,
  spare: (key: string) => boolean,
): Effects {
  const { create, update, remove } = subRequests(api)
  const effects: Effects = { requests: [], created: new Map(), updated: new Map(), deleted: new Set() }
  for (const [index, { does, role, choice, number }] of steps.entries()) {
    const keys = [...before.keys()].filter(
      (key) => key.startsWith(`${role}/`) && !effects.deleted.has(key) && !(does === 'delete' && spare(key)),
    )
    const key = keys[choice % Math.max(1, keys.length)]
    const text = `${marker} ${index}.${number}`
    const fields = { [MARKED[role]]: text, ...(role === 'everything' && { number, json: [number] }) }
    if (key === undefined || does === 'create') {
      effects.requests.push(create(table(role), fields))
      effects.created.set(`${role}/${text}`, fields)
      continue
    }
    const id = key.slice(role.length + 1)
    if (does === 'update') {
      effects.requests.push(update(table(role), id, fields))
      effects.updated.set(key, fields)
    } else {
      effects.requests.push(remove(table(role), id))
      effects.deleted.add(key)
      effects.updated.delete(key)
    }
  }
  return effects
}

/** A sub-request that cannot succeed. */
export type Failing = 'update-missing' | 'delete-missing' | 'unknown-table' | 'taken-value' | 'delete-twice'

export function failingRequest(
  { api, table }: Pick<CheckContext, 'api' | 'table'>,
  kind: Failing,
  marker: string,
): SubRequest[] {
  const { create, update, remove } = subRequests(api)
  const missing = 'nosuchrecord123'
  const cases: Record<Failing, SubRequest[]> = {
    'update-missing': [update(table('plain'), missing, { title: `${marker} lost` })],
    'delete-missing': [remove(table('everything'), missing)],
    'unknown-table': [
      { ...create(table('plain'), { title: `${marker} lost` }), url: api.path.records('conf_no_such_table') },
    ],
    'taken-value': [
      create(table('unique'), { code: `${marker}-twice` }),
      create(table('unique'), { code: `${marker}-twice` }),
    ],
    'delete-twice': [remove(table('loose'), missing), remove(table('loose'), missing)],
  }
  return cases[kind]
}

/** Steps on any table, in any order. */
export const STEP_ROLES: readonly Role[] = ROLES
