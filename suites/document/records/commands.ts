/**
 * The five operations as commands on a table with all field types, each judged by the model at once.
 *
 * @module
 */

import fc, { type Arbitrary, type AsyncCommand } from 'fast-check'
import { expectEqual, expectSuccess, expectThat, isRejected } from '../../../harness/judging/expect.ts'
import type { Api, Body, WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'
import { expectGone } from '../../shared/records/expect-gone.ts'
import { uploads } from '../../shared/records/forms.ts'
import { readTable } from '../../shared/records/read-table.ts'
import { createdIn, recordOf } from '../../shared/records/record-of.ts'
import {
  differsAfterUpdate,
  differsAtAll,
  differsElsewhere,
  differsFromBody,
  type RecordDifference,
  type TableModel,
} from './table-model.ts'
import { type MarkField, marked, unmarked } from './values-of.ts'

/** What the commands act on. */
export interface Real extends Pick<CheckContext, 'created' | 'unique'> {
  api: Api
  table: TableRef
  /** Holds the mark of the run in each record. */
  markField: MarkField
  /** Called for each body that the target took: which values a field takes is left open. */
  accepted(): void
  /** Whether it took any so far. */
  anyAccepted(): boolean
}

type RecordCommand = AsyncCommand<TableModel, Real>

export function expectNone(differences: readonly RecordDifference[], what: string): void {
  const [first] = differences
  if (first !== undefined) expectEqual(first.received, first.expected, `${first.field} ${what}`)
}

const short = (body: Body) => JSON.stringify(body).slice(0, 200)

export class Create implements RecordCommand {
  readonly body: Body
  constructor(body: Body) {
    this.body = body
  }
  check = () => true
  async run(model: TableModel, real: Real) {
    const taken = await this.create(model, real, this.body)
    if (taken || real.anyAccepted()) return
    // One unexpected value may have been enough to reject all of them.
    for (const [field, value] of Object.entries(this.body)) await this.create(model, real, { [field]: value })
  }
  private async create(model: TableModel, real: Real, values: Body) {
    const { api, table, accepted, created, markField, unique } = real
    const body = marked(values, markField, unique('created'))
    const response = await api.create(table, body)
    if (isRejected(response)) return false
    const id = await createdIn({ created }, table, response, 'a create')
    expectThat(!model.live.has(id), 'a create returned the id of a record that exists', 'a new id', id)
    const viewed = recordOf(await api.view(table, id), 'a view of the created record')
    expectNone(differsFromBody(viewed, body), 'after create')
    accepted()
    model.put(viewed)
    return true
  }
  toString = () => `create ${short(this.body)}`
}

/** Acts on one of the living records; without any there is nothing to do. */
abstract class OnRecord implements RecordCommand {
  readonly choice: number
  constructor(choice: number) {
    this.choice = choice
  }
  check = ({ live }: Readonly<TableModel>) => live.size > 0
  async run(model: TableModel, real: Real) {
    const record = model.pick(this.choice)
    if (record !== undefined) await this.act(record, model, real)
  }
  protected abstract act(record: WireRecord, model: TableModel, real: Real): Promise<void>
  abstract toString(): string
}

class Update extends OnRecord {
  readonly body: Body
  constructor(choice: number, body: Body) {
    super(choice)
    this.body = body
  }
  protected async act(before: WireRecord, model: TableModel, { api, table, markField }: Real) {
    const body = unmarked(this.body, markField)
    const response = await api.update(table, before.id, body)
    const after = recordOf(await api.view(table, before.id), 'a view of the updated record')
    if (isRejected(response))
      return expectNone(differsAtAll(after, before), 'after an update that was rejected')
    expectSuccess(response, 'an update')
    expectNone(differsAfterUpdate(after, before, body), `after an update with ${short(body)}`)
    model.put(after)
  }
  toString = () => `update(${this.choice}) ${short(this.body)}`
}

/** Files are stored in their fields and change no others, if the target accepts this form. */
class Upload extends OnRecord {
  protected async act(before: WireRecord, model: TableModel, { api, table }: Real) {
    await api.update(table, before.id, uploads())
    const after = recordOf(await api.view(table, before.id), 'a view of the record after an upload')
    expectNone(differsElsewhere(after, before, ['file', 'files']), 'after an upload')
    model.put(after)
  }
  toString = () => `upload(${this.choice})`
}

class Delete extends OnRecord {
  protected async act(record: WireRecord, model: TableModel, { api, table }: Real) {
    const { id } = record
    expectSuccess(await api.delete(table, id), 'a delete')
    expectGone(await api.view(table, id), record, 'a view of the deleted record')
    model.remove(id)
  }
  toString = () => `delete(${this.choice})`
}

class View extends OnRecord {
  protected async act(record: WireRecord, _model: TableModel, { api, table }: Real) {
    expectNone(differsAtAll(recordOf(await api.view(table, record.id)), record), 'in a later view')
  }
  toString = () => `view(${this.choice})`
}

class List implements RecordCommand {
  check = () => true
  run = (model: TableModel, { api, table }: Real) => expectListed(model, api, table)
  toString = () => 'list'
}

/** The list holds each living record of the model once, as it was last read, and none of the deleted ones. */
export async function expectListed(model: TableModel, api: Api, table: TableRef): Promise<void> {
  const listed = await readTable(api, table, (record) => model.live.has(record.id) || model.isGone(record))
  expectEqual([...listed.keys()].sort(), [...model.live.keys()].sort(), 'the ids in the list')
  for (const [id, record] of model.live)
    expectNone(differsAtAll(listed.get(id) ?? record, record), 'in the list')
}

/**
 * Arbitraries of the commands, for `fc.commands`.
 *
 * @param body what creates and updates send
 */
export function recordCommands(body: Arbitrary<Body>): Arbitrary<RecordCommand>[] {
  const choice = fc.nat({ max: 7 })
  return [
    body.map((sent) => new Create(sent)),
    fc.tuple(choice, body).map(([at, sent]) => new Update(at, sent)),
    choice.map((at) => new Upload(at)),
    choice.map((at) => new Delete(at)),
    choice.map((at) => new View(at)),
    fc.constant(new List()),
  ]
}
