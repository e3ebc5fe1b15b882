/**
 * A small world for batches: records of several tables that carry a marker, some of them referring to each other,
 * read as a whole before and after.
 *
 * @module
 */

import { NO_RECORD, NO_TABLE } from '../../../harness/support/no-record.ts'
import type { ApiResponse, Body, SubRequest, WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { hasRejectedEntry, subRequests } from '../../shared/batch/entries.ts'
import { readTable } from '../../shared/records/read-table.ts'
import { textFieldOf } from '../../shared/records/text-field-of.ts'
import { updateAsTaken } from '../records/update-as-taken.ts'

/** Tables of the world. Their text field carries the marker. */
export type Role = 'plain' | 'cascading' | 'loose' | 'unique' | 'everything' | 'child' | 'parent' | 'related'

export const wideRoles: readonly Role[] = ['plain', 'cascading', 'loose', 'unique', 'everything']

export interface BatchWorld {
  roles: readonly Role[]
  make(context: CheckContext, marker: string): Promise<void>
  /** What a step writes in addition to the text. */
  fields(step: Step): Body
  /** Whether the table accepts the write. */
  allows(step: Step): boolean
}

/** Everything that carries the marker, by `role/id`. */
export type BatchSnapshot = Map<string, WireRecord>

export async function snapshot(
  { table, api }: CheckContext,
  roles: readonly Role[],
  marker: string,
): Promise<BatchSnapshot> {
  const all: BatchSnapshot = new Map()
  for (const role of roles) {
    const records = await readTable(api, table(role), (record) =>
      String(record[textFieldOf(role)]).startsWith(marker),
    )
    for (const [id, record] of records) all.set(`${role}/${id}`, record)
  }
  return all
}

/** Records of the table `plain`. */
export const plainWorld: BatchWorld = {
  roles: ['plain'],
  make: makePlainWorld,
  fields: () => ({}),
  allows: () => true,
}

/** Three records of the table `plain`. */
export async function makePlainWorld({ make, table }: CheckContext, marker: string): Promise<void> {
  for (const name of ['one', 'two', 'three']) await make(table('plain'), { title: `${marker} ${name}` })
}

/**
 * A parent in `plain` with a child that would go with it and one that would lose it, a record with a unique code, two
 * with values of many types.
 */
async function makeWideWorld({ api, make, table }: CheckContext, marker: string): Promise<void> {
  const parent = await make(table('plain'), { title: `${marker} parent` })
  await make(table('cascading'), { label: `${marker} child`, parent: parent.id })
  await make(table('loose'), { label: `${marker} loose`, one: parent.id, many: [parent.id] })
  await make(table('unique'), { code: `${marker}-taken` })
  for (const number of [1, 2]) {
    const { id } = await make(table('everything'), { text: `${marker} ${number}` })
    await updateAsTaken(api, table('everything'), id, { number, json: { number }, selects: ['a', 'b'] })
  }
}

/** Records of five tables. */
export async function wideWorld(context: CheckContext): Promise<BatchWorld> {
  const taken = await takenFields(context)
  return {
    roles: wideRoles,
    make: makeWideWorld,
    fields: ({ role, number }) =>
      role === 'everything'
        ? { ...(taken.has('number') && { number }), ...(taken.has('json') && { json: [number] }) }
        : {},
    allows: () => true,
  }
}

/** Which fields of a record of `everything` the target takes as a batch writes them, which is left open: tried once a run. */
function takenFields({ once, make, table, api, unique }: CheckContext): Promise<ReadonlySet<string>> {
  return once('fields that a batch writes', async () => {
    const { id } = await make(table('everything'), { text: unique('taken') })
    return new Set(await updateAsTaken(api, table('everything'), id, { number: 1, json: [1] }))
  })
}

/** One step of a batch, in plain data, so that it shrinks well: choices are indices, modulo the number of options. */
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
 * target becomes a create, and so does one that the world does not allow. `spare` names records that must not be deleted
 * (others refer to them); with `once`, no record is the target of two steps.
 */
export function planSteps(
  { api, table }: Pick<CheckContext, 'api' | 'table'>,
  steps: readonly Step[],
  before: BatchSnapshot,
  marker: string,
  { spare, once, world }: { spare: (key: string) => boolean; once: boolean; world: BatchWorld },
): Effects {
  const { create, update, remove } = subRequests(api)
  const effects: Effects = { requests: [], created: new Map(), updated: new Map(), deleted: new Set() }
  for (const [index, step] of steps.entries()) {
    const { role, choice, number } = step
    const does = world.allows(step) ? step.does : 'create'
    const keys = [...before.keys()].filter(
      (key) =>
        key.startsWith(`${role}/`) &&
        !effects.deleted.has(key) &&
        !(once && effects.updated.has(key)) &&
        !(does === 'delete' && spare(key)),
    )
    const key = keys[choice % Math.max(1, keys.length)]
    const text = `${marker} ${index} ${number}`
    const fieldsOf = (does: Step['does']) => ({
      [textFieldOf(role)]: text,
      ...world.fields({ ...step, does }),
    })
    if (key === undefined || does === 'create') {
      const fields = fieldsOf('create')
      effects.requests.push(create(table(role), fields))
      effects.created.set(`${role}/${text}`, fields)
      continue
    }
    const id = key.slice(role.length + 1)
    if (does === 'update') {
      const fields = fieldsOf('update')
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

/** Ways to make a batch fail. The last one needs the table `unique`. */
export const FAILURES = [
  'update-missing',
  'delete-missing',
  'unknown-table',
  'required-field',
  'not-allowed',
  'taken-value',
] as const
export type Failing = (typeof FAILURES)[number]

type Asked = Pick<CheckContext, 'api' | 'table' | 'hasTable' | 'unique' | 'mayExist'>

/**
 * Whether the write fails on its own. An update of a missing record and a create in a missing table do: those are
 * requirements of their own.
 */
async function failsAlone(
  { api, table, hasTable, unique, mayExist }: Asked,
  kind: Failing,
): Promise<boolean> {
  switch (kind) {
    case 'update-missing':
    case 'unknown-table':
      return true
    case 'delete-missing':
      if (!mayExist('deleteRecord') || (await api.delete(table('plain'), NO_RECORD)).ok) return false
      // Nothing is left to delete: a batch may count that as done, whatever a single delete returns.
      return wasRejected(await api.batch([subRequests(api).remove(table('plain'), NO_RECORD)]))
    case 'required-field':
      return hasTable('required') && !(await api.create(table('required'), { text: unique('lacks') })).ok
    case 'not-allowed':
      return hasTable('locked') && !(await api.create(table('locked'), { title: unique('guest') })).ok
    case 'taken-value': {
      const code = unique('taken')
      const first = await api.create(table('unique'), { code })
      return first.ok && !(await api.create(table('unique'), { code })).ok
    }
  }
}

const wasRejected = (response: ApiResponse) => !response.ok || hasRejectedEntry(response)

/**
 * Whether deleting what is not there is a failure is left open, and a table of the tester's may require nothing: each
 * write is tried alone, once a run. Where it succeeds, an update of what is not there takes its place.
 */
export async function waysToFail<Kind extends Failing>(
  context: Asked & Pick<CheckContext, 'once'>,
  kinds: readonly Kind[],
): Promise<(Kind | 'update-missing')[]> {
  const ways: (Kind | 'update-missing')[] = []
  for (const kind of kinds) {
    const fails = await context.once(`${kind} alone`, () => failsAlone(context, kind))
    ways.push(fails ? kind : 'update-missing')
  }
  return ways
}

/** Sub-requests, one of them certain to fail. */
export function failingRequests(
  { api, table }: Pick<CheckContext, 'api' | 'table'>,
  kind: Failing,
  marker: string,
): SubRequest[] {
  const { create, update, remove } = subRequests(api)
  const title = `${marker} lost`
  switch (kind) {
    case 'update-missing':
      return [update(table('plain'), NO_RECORD, { title })]
    case 'delete-missing':
      return [remove(table('plain'), NO_RECORD)]
    case 'unknown-table':
      return [{ ...create(table('plain'), { title }), url: api.path.records(NO_TABLE) }]
    case 'required-field':
      return [create(table('required'), { text: title })]
    case 'not-allowed':
      return [create(table('locked'), { title })]
    case 'taken-value':
      return [1, 2].map(() => create(table('unique'), { code: `${marker}-twice` }))
  }
}
