/**
 * Writes by any client, by the name or the identifier of the table, alone or in a batch, judged by a model: what is
 * accepted has its whole effect, and what is rejected has none. Who may write is left open.
 *
 * @module
 */

import { isObject } from '../../../exchange/json-object.ts'
import { createdId } from '../../../harness/cleanup/record-of-create.ts'
import {
  BlockedError,
  ExpectationError,
  expectEqual,
  expectThat,
  isRejected,
} from '../../../harness/judging/expect.ts'
import { responseSummary } from '../../../harness/judging/response-summary.ts'
import { NO_RECORD } from '../../../harness/support/no-record.ts'
import type { Api, ApiResponse, Body, SubRequest, WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import type { SuiteCaller } from '../../shared/auth/all-callers.ts'
import { subRequests } from '../../shared/batch/entries.ts'
import { mostEntries } from '../../shared/batch/most-entries.ts'
import { recordsWith } from '../../shared/lists/shared-records.ts'
import { createdIn, recordOf } from '../../shared/records/record-of.ts'
import { sameText, sameValue } from './same-value.ts'

/** What the steps write: a text by which a record is found, a number and a relation. */
export type WrittenField = 'text' | 'rank' | 'parent'

export type WriteStep =
  /** `chosen`: with an id that the client chooses. */
  | { does: 'create'; sends: WrittenField[]; chosen: boolean }
  /** `on` chooses one of the records that exist by then, as any natural number. */
  | { does: 'update'; on: number; sends: WrittenField[] }
  | { does: 'delete'; on: number }
  /** A create with the id of a record that was deleted. */
  | { does: 'again'; on: number; sends: WrittenField[] }

/** Some writes by one client. */
export interface WriteAct {
  /** Chooses one of the clients, as any natural number. */
  caller: number
  byId: boolean
  /** `alone`: each in a request of its own. `failing`: in one batch with a sub-request that fails. */
  sent: 'alone' | 'batch' | 'failing'
  steps: WriteStep[]
}

/** What the writes act on. */
export interface Scene {
  context: CheckContext
  callers: readonly SuiteCaller[]
  table: TableRef
  /** The fields of the table. One without a text cannot be used. */
  names: { text: string } & Partial<Record<WrittenField, string>>
  /** The same table by its identifier, if that is known. */
  byId: TableRef | undefined
  /** Ids that a `parent` may have. */
  parents: readonly string[]
  /** Makes ids that clients may choose; undefined if they may choose none. */
  newId: (() => string) | undefined
}

type Values = Readonly<Partial<Record<WrittenField, unknown>>>

/** One write, with all that it sends. A client may do one kind and not another. */
type Write = { sent: Values } & (
  | { kind: 'update' | 'delete' | 'chosen' | 'again'; id: string }
  | { kind: 'create'; id: undefined }
)

const verbs: Record<Write['kind'], string> = {
  create: 'create',
  chosen: 'create with an id',
  again: 'create with the id of a deleted record',
  update: 'update',
  delete: 'delete',
}

const same: Record<WrittenField, (shown: unknown, sent: unknown) => boolean> = {
  text: sameText,
  rank: (shown, sent) => sameValue('number', shown, sent),
  parent: (shown, sent) => sameValue('relations', shown, sent),
}
const fields = Object.keys(same) as WrittenField[]

/** What was written so far, and what must be there. */
export class WriteSequence {
  readonly #scene: Scene
  /** By id, in the order of creation. */
  #alive = new Map<string, Values>()
  #gone: string[] = []
  /** The client that created a record: it may be the only one that may change it. */
  readonly #makers = new Map<string, string>()
  /** What each client did alone, and was accepted. */
  readonly #may = new Set<string>()
  /** Each text that was sent. */
  readonly #sentText = new Set<unknown>()
  #count = 0

  constructor(scene: Scene) {
    this.#scene = scene
  }

  async perform(act: WriteAct): Promise<void> {
    if (act.sent !== 'alone') return this.#together(act)
    for (const step of act.steps) {
      const write = this.#writeOf(step, this.#alive, this.#gone)
      if (write !== undefined) await this.#alone(act, write)
    }
  }

  #caller({ caller }: WriteAct): SuiteCaller {
    const { callers } = this.#scene
    return callers[caller % callers.length] as SuiteCaller
  }

  /** Undefined if the target has no identifier of the table. */
  #table({ byId }: WriteAct): TableRef | undefined {
    return byId ? this.#scene.byId : this.#scene.table
  }

  /** Those of the fields that the table has, and the text for a create: by it the record is found. */
  #known(sends: readonly WrittenField[], isCreate: boolean): WrittenField[] {
    const known = sends.filter((field) => this.#scene.names[field] !== undefined)
    return isCreate || known.length === 0 ? [...new Set<WrittenField>(['text', ...known])] : known
  }

  #body(values: Values): Body {
    const named = Object.entries(values) as [WrittenField, unknown][]
    return Object.fromEntries(named.map(([field, value]) => [this.#scene.names[field], value]))
  }

  #valuesIn(record: Readonly<Record<string, unknown>>): Values {
    const known = Object.entries(this.#scene.names) as [WrittenField, string][]
    return Object.fromEntries(known.map(([field, name]) => [field, record[name]]))
  }

  #send(api: Api, table: TableRef, { kind, id, sent }: Write): Promise<ApiResponse> {
    const body = this.#body(sent)
    if (kind === 'update') return api.update(table, id, body)
    if (kind === 'delete') return api.delete(table, id)
    return api.create(table, { ...body, ...(id !== undefined && { id }) })
  }

  #key(act: WriteAct, kind: Write['kind']): string {
    return `${this.#caller(act).who} ${act.byId} ${kind}`
  }

  #describe(act: WriteAct, what: string): string {
    const form = act.byId ? 'the identifier' : 'the name'
    return `${what} by ${this.#caller(act).who}, by ${form} of the table`
  }

  /** @param current the values before: a record that has a parent loses it */
  #values(sends: readonly WrittenField[], current?: Values): Values {
    const { context, parents } = this.#scene
    this.#count += 1
    const isOrphan = current === undefined || same.parent(current.parent, '')
    const all: Values = {
      text: context.unique('sequence'),
      rank: this.#count,
      parent: isOrphan ? parents[this.#count % parents.length] : '',
    }
    this.#sentText.add(all.text)
    return Object.fromEntries(sends.map((field) => [field, all[field]]))
  }

  /** Undefined if there is nothing to act on. */
  #writeOf(step: WriteStep, alive: ReadonlyMap<string, Values>, gone: readonly string[]): Write | undefined {
    if (step.does === 'create') {
      const sent = this.#values(this.#known(step.sends, true))
      const id = step.chosen ? this.#scene.newId?.() : undefined
      return id === undefined ? { kind: 'create', id, sent } : { kind: 'chosen', id, sent }
    }
    const ids = step.does === 'again' ? gone : [...alive.keys()]
    const id = ids[step.on % Math.max(1, ids.length)]
    if (id === undefined || (step.does === 'again' && this.#scene.newId === undefined)) return undefined
    if (step.does === 'delete') return { kind: 'delete', id, sent: {} }
    if (step.does === 'again') return { kind: 'again', id, sent: this.#values(this.#known(step.sends, true)) }
    return { kind: 'update', id, sent: this.#values(this.#known(step.sends, false), alive.get(id)) }
  }

  async #alone(act: WriteAct, write: Write): Promise<void> {
    const { api, who } = this.#caller(act)
    const table = this.#table(act)
    if (table === undefined) return
    const { kind, id, sent } = write
    const response = await this.#send(api, table, write)
    const isDone = isAccepted(response)
    const what = this.#describe(act, isDone ? `the ${verbs[kind]}` : `the rejected ${verbs[kind]}`)
    if (!isDone) {
      if (id !== undefined) await this.#expectShown(id, this.#alive.get(id), what)
      return this.#expectNotForItsName(act, write, response)
    }
    if (kind === 'update' || kind === 'delete') {
      const after = kind === 'update' ? { ...this.#alive.get(id), ...sent } : undefined
      await this.#expectShown(id, after, what)
      this.#may.add(this.#key(act, kind))
      return this.#keep(id, after)
    }
    const made = await this.#idOf(response, table, write)
    const shown = await this.#expectShown(made, sent, what)
    // A server may ignore the id that a client chooses.
    if (id === undefined || id === made) this.#may.add(this.#key(act, kind))
    this.#makers.set(made, who)
    this.#keep(made, shown)
  }

  /** The id of what was created. Where the response shows another one, or none, it may be the one that the client chose. */
  async #idOf(response: ApiResponse, table: TableRef, { id, sent }: Write): Promise<string> {
    if (id !== undefined && createdId(response) !== id) {
      const { ok, body } = await this.#view(id)
      if (ok && isObject(body) && same.text(this.#valuesIn(body).text, sent.text)) return id
    }
    return createdIn(this.#scene.context, table, response)
  }

  /** A client may do by the identifier what it may do by the name. The rejection may also be due to the values. */
  async #expectNotForItsName(act: WriteAct, write: Write, response: ApiResponse): Promise<void> {
    const { kind, id } = write
    const isOwn = id === undefined || !this.#alive.has(id) || this.#makers.get(id) === this.#caller(act).who
    if (!act.byId || !isOwn || response.status === 429) return
    if (!this.#may.has(this.#key({ ...act, byId: false }, kind))) return
    if (!isAccepted(await this.#send(this.#caller(act).api, this.#scene.table, write))) return
    throw new ExpectationError(
      `the ${verbs[kind]} by ${this.#caller(act).who} is rejected by the identifier of the table, but accepted by its name`,
      'a 2xx status',
      responseSummary(response),
    )
  }

  async #together(act: WriteAct): Promise<void> {
    const { context } = this.#scene
    const table = this.#table(act)
    if (table === undefined || !context.has('batch') || !context.mayExist('batch')) return
    const { writes, alive } = await this.#planOf(act)
    if (writes.length === 0) return
    const { api } = this.#caller(act)
    const failing = act.sent === 'failing'
    const response = await api.batch(this.#requestsOf(api, table, writes, failing))
    // What a failing one returns is left open.
    const accepted = !failing && isAccepted(response)
    const what = this.#describe(act, accepted ? 'the batch' : `the ${failing ? 'failing' : 'rejected'} batch`)
    const touched = new Set(writes.flatMap(({ id }) => id ?? []))
    // A batch may be accepted and say of each sub-request that it was rejected.
    const mayAll = writes.every(({ kind }) => this.#may.has(this.#key(act, kind)))
    const isDone = accepted && (mayAll || (await this.#isDone(touched, alive)))
    const expected = isDone ? alive : new Map(this.#alive)
    for (const id of touched) this.#keep(id, await this.#expectShown(id, expected.get(id), what))
    if (accepted && !mayAll) return
    for (const { kind, sent } of writes)
      if (kind === 'create') await this.#expectCreated(act, sent, isDone, what)
  }

  /** The writes of a batch, one after the other, and the records that are there if all are done. */
  async #planOf({ steps, sent }: WriteAct): Promise<{ writes: Write[]; alive: ReadonlyMap<string, Values> }> {
    const most = (await mostEntries(this.#scene.context)) - (sent === 'failing' ? 1 : 0)
    const [writes, alive, gone]: [Write[], Map<string, Values>, string[]] = [
      [],
      new Map(this.#alive),
      [...this.#gone],
    ]
    for (const step of steps.slice(0, most)) {
      const write = this.#writeOf(step, alive, gone)
      if (write === undefined) continue
      writes.push(write)
      const { kind, id } = write
      if (id === undefined) continue
      if (kind === 'delete') {
        alive.delete(id)
        gone.push(id)
      } else alive.set(id, { ...(kind === 'update' && alive.get(id)), ...write.sent })
    }
    return { writes, alive }
  }

  /** @param failing one of them, in any place, is an update of a record that does not exist */
  #requestsOf(api: Api, table: TableRef, writes: readonly Write[], failing: boolean): SubRequest[] {
    const { create, update, remove } = subRequests(api)
    const requests = writes.map(({ kind, id, sent }) => {
      const body = this.#body(sent)
      if (kind === 'update') return update(table, id, body)
      if (kind === 'delete') return remove(table, id)
      return create(table, { ...body, ...(id !== undefined && { id }) })
    })
    if (failing) {
      const missing = update(table, NO_RECORD, this.#body(this.#values(['text'])))
      requests.splice(this.#count % (requests.length + 1), 0, missing)
    }
    return requests
  }

  /** Whether the records with these ids are as they are once all is done. */
  async #isDone(ids: ReadonlySet<string>, alive: ReadonlyMap<string, Values>): Promise<boolean> {
    for (const id of ids) {
      const { ok, body } = await this.#view(id)
      const expected = alive.get(id)
      if (ok !== (expected !== undefined)) return false
      if (expected !== undefined && !(isObject(body) && this.#changedIn(body, expected) === undefined))
        return false
    }
    return ids.size > 0
  }

  /** Without an id, the record is found by its text. */
  async #expectCreated(act: WriteAct, sent: Values, isDone: boolean, what: string): Promise<void> {
    const { context, table, names } = this.#scene
    const found = await recordsWith(context, table, names.text, String(sent.text))
    expectEqual(found.length, isDone ? 1 : 0, `the number of records with a new ${names.text} after ${what}`)
    for (const record of found) {
      this.#expectValues(record, sent, what)
      this.#makers.set(record.id, this.#caller(act).who)
      this.#keep(record.id, this.#valuesIn(record))
    }
  }

  #keep(id: string, values: Values | undefined): void {
    this.#gone = this.#gone.filter((each) => each !== id)
    if (values === undefined) {
      this.#alive.delete(id)
      this.#gone.push(id)
    } else this.#alive.set(id, values)
  }

  #view(id: string): Promise<ApiResponse> {
    return this.#scene.context.api.view(this.#scene.table, id)
  }

  /** @param expected undefined: the record must not be there. Its id may be another client's by now. */
  async #expectShown(id: string, expected: Values | undefined, what: string): Promise<Values | undefined> {
    const response = await this.#view(id)
    if (expected === undefined) {
      const { ok, body, text } = response
      const isOurs = ok && isObject(body) && this.#sentText.has(this.#valuesIn(body).text)
      expectThat(!isOurs, `a record is there after ${what}`, 'no record', text)
      return undefined
    }
    const record = recordOf(response, `a view after ${what}`)
    this.#expectValues(record, expected, what)
    return this.#valuesIn(record)
  }

  /** The first field with an unexpected value. A field without an expected value may have any. */
  #changedIn(record: Readonly<Record<string, unknown>>, expected: Values): WrittenField | undefined {
    const shown = this.#valuesIn(record)
    return fields.find((field) => field in expected && !same[field](shown[field], expected[field]))
  }

  #expectValues(record: WireRecord, expected: Values, what: string): void {
    const field = this.#changedIn(record, expected)
    if (field === undefined) return
    expectEqual(this.#valuesIn(record)[field], expected[field], `${this.#scene.names[field]} after ${what}`)
  }
}

/** @throws BlockedError if neither a success nor a rejection says whether it was done */
function isAccepted(response: ApiResponse): boolean {
  if (response.ok || isRejected(response)) return response.ok
  throw new BlockedError(`a write returned ${response.status}, which does not say whether it was done`)
}
