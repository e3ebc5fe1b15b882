/**
 * Records from code, without HTTP: validated like any other, but rules do not apply, and only passwords are hidden.
 *
 * @module
 */

import { isBlob } from '../../exchange/is-form.ts'
import { didYouMean } from '../../spec/nearest.ts'
import { rejectUnknown } from '../../spec/reject-unknown.ts'
import type {
  AnyRecord,
  AnyValues,
  ChangesOf,
  NewRecordOf,
  RecordOf,
  RecordOrId,
  TableInputs,
  TableName,
  TableNamed,
} from '../define-tables.ts'
import { withCallSite } from '../environment/with-call-site.ts'
import { ApiError, type ErrorBody, type ErrorData } from '../errors.ts'
import { fieldOfKey } from '../fields/body-keys.ts'
import { makeUpload } from '../fields/upload.ts'
import { bytesOfBlob } from '../http/plain-init.ts'
import { emptyBody, type SubmittedBody } from '../http/read-body.ts'
import { Work } from '../limits/work.ts'
import { stepOf } from '../query/expand.ts'
import { type PathTree, parseExpand } from '../query/parse-expand.ts'
import { QueryError } from '../query/query-error.ts'
import type { Scope } from '../query/scope.ts'
import { unknownStep } from '../reasons/unknown-step.ts'
import { ruleScope } from '../rules.ts'
import type { RequestContext, Services } from '../services.ts'
import { checkString, checkValues, rejectNoValue } from '../state/check-values.ts'
import { givenValue } from '../state/given-value.ts'
import { rejectLostValue } from '../state/lost-value.ts'
import { noField } from '../tables/no-field.ts'
import { nonSystemTableNames } from '../tables/non-system-table-names.ts'
import { superusers } from '../tables/system.ts'
import type { Caller, Environment, Json, Reader, Row, Table, Upload, Writer } from '../vocabulary.ts'
import { makeRecord } from './create.ts'
import { findByValues } from './find-by-values.ts'
import { idOfRecord, isRecord, shownId } from './id-of-record.ts'
import { listRecords } from './list.ts'
import { removeRecord } from './remove-record.ts'
import { renderOne } from './render.ts'
import { updateRecord } from './update.ts'

/** Which records `records.list` returns, in which order, and with what. */
export interface ListQuery {
  /** Condition in the filter language, as in the query parameter. @default all records */
  filter?: string | undefined
  /** Fields to sort by, `-` before a name for descending order: `-created,title`. @default insertion order */
  sort?: string | undefined
  /** Relations to follow, as in the query parameter: `author,tags`. @default none */
  expand?: string | undefined
}

/** A record was rejected. `data` has the errors by field, as the HTTP interface returns them. */
export class RecordError extends Error {
  /** Always `RecordError`. */
  override readonly name = 'RecordError'
  /** Status that an HTTP response would have: 400, 403 or 404, for example. */
  readonly status: number
  /** Errors by field name. */
  readonly data: ErrorData

  /** Created by `records` and `make`. @param place the function that was called, for the message */
  constructor(place: string, { status, message, data }: ErrorBody) {
    const fields = Object.entries(data).map(([name, error]) => {
      const { code, message: text } = error as { code?: string; message?: string }
      return `  ${name}: ${text} (${code})`
    })
    super([`${place}: ${message}`, ...fields].join('\n'))
    this.status = status
    this.data = data
  }
}

/** Records of the tables that the reference was created with, in their types. */
export interface TypedRecordsApi<Tables extends TableInputs> {
  /** Creates a record. An auth record without a password gets a random one. @throws RecordError */
  create<Name extends TableName<Tables>>(
    table: Name,
    values: NewRecordOf<TableNamed<Tables, Name>>,
  ): Promise<RecordOf<TableNamed<Tables, Name>>>
  /** Finds a record by id, its present form by an earlier one, or the first one with these values. Undefined if there is none. */
  find<Name extends TableName<Tables>>(
    table: Name,
    idOrValues: string | Partial<RecordOf<TableNamed<Tables, Name>>>,
  ): Promise<RecordOf<TableNamed<Tables, Name>> | undefined>
  /**
   * All of them, in insertion order unless sorted.
   *
   * @throws RecordError for an invalid filter or sort, and if `expand` shows more than 2,000,000 records: filter, or expand fewer steps
   */
  list<Name extends TableName<Tables>>(
    table: Name,
    query?: ListQuery,
  ): Promise<RecordOf<TableNamed<Tables, Name>>[]>
  /** Changes a record, given as itself or by its id. @throws RecordError if there is none, or if the changes are invalid */
  update<Name extends TableName<Tables>>(
    table: Name,
    record: RecordOrId<TableNamed<Tables, Name>['name']>,
    changes: ChangesOf<TableNamed<Tables, Name>>,
  ): Promise<RecordOf<TableNamed<Tables, Name>>>
  /** Deletes a record, given as itself or by its id. False if there was none. @throws RecordError if another record requires it */
  delete<Name extends TableName<Tables>>(
    table: Name,
    record: RecordOrId<TableNamed<Tables, Name>['name']>,
  ): Promise<boolean>
  /** How many records the table has. */
  count<Name extends TableName<Tables>>(table: Name): number
}

/** Records of any tables. */
export interface RecordsApi {
  /** Creates a record. An auth record without a password gets a random one. @throws RecordError */
  create(table: string, values: AnyValues): Promise<AnyRecord>
  /** Finds a record by id, its present form by an earlier one, or the first one with these values. Undefined if there is none. */
  find(table: string, idOrValues: string | AnyValues): Promise<AnyRecord | undefined>
  /**
   * All of them, in insertion order unless sorted.
   *
   * @throws RecordError for an invalid filter or sort, and if `expand` shows more than 2,000,000 records: filter, or expand fewer steps
   */
  list(table: string, query?: ListQuery): Promise<AnyRecord[]>
  /** Changes a record, given as itself or by its id. @throws RecordError if there is none, or if the changes are invalid */
  update(table: string, record: RecordOrId, changes: AnyValues): Promise<AnyRecord>
  /** Deletes a record, given as itself or by its id. False if there was none. @throws RecordError if another record requires it */
  delete(table: string, record: RecordOrId): Promise<boolean>
  /** How many records the table has. */
  count(table: string): number
}

const listOptions: Record<keyof ListQuery, true> = { filter: true, sort: true, expand: true }

/** There are no pages here, but code that was written for HTTP requests them. @throws TypeError */
function checkListQuery(query: ListQuery): void {
  const paging = ['page', 'perPage', 'limit'].find((name) => Object.hasOwn(Object(query), name))
  if (paging !== undefined)
    throw new TypeError(
      `records.list has no option "${paging}": it returns all records that match the filter.`,
    )
  rejectUnknown(query, Object.keys(listOptions), 'option of records.list')
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) checkString(`The option "${name}" of records.list`, value)
}

/** Accepted values in code: dates, files, and records instead of their ids. */
type Given = Readonly<Record<string, unknown>>

type Rendered = { [key: string]: Json }

const token = { text: '', refreshable: false, expires: Number.POSITIVE_INFINITY }

function superuserIn(reader: Reader): Caller {
  const table = reader.table(superusers.name)
  if (table === undefined)
    throw new Error('The store has no table of superusers: add the system tables first.')
  return { kind: 'superuser', table, row: { rowid: 0, id: '', values: { id: '' } }, token }
}

/**
 * Most records under `expand` in one call. Code may expand far more than a response over HTTP, but a few levels too
 * many would fill the memory and end the process without a message.
 */
const mostExpanded = 2_000_000

/** Code always waits for the result. */
const boundless = { steps: Number.POSITIVE_INFINITY, stepsAtOnce: Number.POSITIVE_INFINITY }

/** The context of a request for operations that are called from code. */
function contextFromCode(services: Services, table: string, id = '', query: ListQuery = {}): RequestContext {
  return {
    services,
    c: 'default',
    method: 'GET',
    table,
    id,
    query: Object.fromEntries(Object.entries(query).filter(([, text]) => text !== undefined)),
    headers: () => ({}),
    caller: superuserIn(services.store.current),
    ip: '127.0.0.1',
    expanded: { records: 0, most: mostExpanded },
    work: new Work(boundless),
  }
}

async function toUpload(blob: Blob, environment: Environment): Promise<Upload> {
  const name = 'name' in blob && typeof blob.name === 'string' ? blob.name : 'file'
  return makeUpload(name, await bytesOfBlob(blob), environment)
}

/**
 * @throws Error that names an unknown field, or one that would not keep its value: over HTTP the field or value would be
 * ignored, but in code it is a mistake
 */
async function toBody(table: Table, given: Given, environment: Environment): Promise<SubmittedBody> {
  checkValues(`a record of "${table.name}"`, given)
  const values = emptyBody().values
  const files = new Map<string, Upload[]>()
  for (const [key, unread] of Object.entries(given)) {
    if (unread === undefined) continue
    const field = fieldOfKey(table, key)
    if (field === undefined && key !== 'passwordConfirm') {
      throw new Error(`The ${noField(table, key)}`)
    }
    rejectNoValue(table, key, unread)
    const value = givenValue(field, unread)
    rejectLostValue(table, key, value)
    if (field?.type === 'file') {
      const parts = Array.isArray(value) ? value : [value]
      const blobs = parts.filter((part): part is Blob => isBlob(part))
      const names = parts.filter((part) => !isBlob(part))
      if (blobs.length > 0)
        files.set(key, await Promise.all(blobs.map((blob) => toUpload(blob, environment))))
      if (names.length > 0 || blobs.length === 0) values[key] = names as Json
    } else values[key] = value as Json
  }
  if (table.type === 'auth' && 'password' in values) values.passwordConfirm ??= values.password ?? ''
  return { values, files, inferred: false }
}

/** @throws Error that lists the existing tables; TypeError for a name that is not a string */
export function tableOf(reader: Reader, name: string): Table {
  checkString('The name of the table', name)
  const table = reader.table(name)
  if (table !== undefined) return table
  const known = nonSystemTableNames(reader)
  throw new Error(`There is no table "${name}".${didYouMean(name, known)} Available: ${known.join(', ')}.`)
}

/** @throws RecordError for an error response, also where it is one of a parameter; other errors are rethrown */
async function explained<T>(place: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof QueryError)
      throw new RecordError(place, { status: 400, message: error.lines().join('\n'), data: {} })
    throw error instanceof ApiError ? new RecordError(place, error) : error
  }
}

/** @throws Error for a step that is not a relation: over HTTP it is ignored, but in code it is a mistake */
function rejectUnknownStep(table: Table, tree: PathTree, scope: Scope): void {
  for (const [name, below] of tree) {
    const step = stepOf(table, name, scope)
    if (step === undefined) throw new Error(unknownStep(table, name, scope))
    rejectUnknownStep(step.target, below, scope)
  }
}

/** Creates one record in a running transaction. @throws ApiError */
export async function createIn(services: Services, writer: Writer, table: Table, given: Given): Promise<Row> {
  const body = await toBody(table, given, services.environment)
  return makeRecord(contextFromCode(services, table.name), body, writer, { randomPassword: true })
}

/** A copy, as over the wire: it shares nothing with the stored values. */
function unshared<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T
}

/** The public form of a row, as superusers see it. */
export function renderFromCode(services: Services, reader: Reader, table: Table, row: Row): Rendered {
  return unshared(renderOne(contextFromCode(services, table.name), reader, table, row))
}

async function listAll(
  services: Services,
  reader: Reader,
  name: string,
  query: ListQuery,
): Promise<Rendered[]> {
  const found: Rendered[] = []
  const context = contextFromCode(services, name, '', query)
  for (let page = 1; ; page++) {
    const paged: RequestContext = {
      ...context,
      query: { ...context.query, page: String(page), perPage: '1000' },
    }
    const { body } = await listRecords(paged, reader)
    const { items, totalPages } = body as { items: Rendered[]; totalPages: number }
    // Page by page: the text of all records may exceed the maximum string length.
    found.push(...unshared(items))
    if (page >= totalPages) return found
  }
}

/** The records of one reference. */
export function createRecordsApi(services: Services): RecordsApi {
  const { store, environment } = services
  // The types follow the table definitions; here records have the types of any table.
  const api = {
    create: withCallSite((name: string, given: Given) =>
      explained(`A record of "${String(name)}" cannot be created`, () => {
        const table = tableOf(store.current, name)
        return store.transaction(async (writer) =>
          renderFromCode(services, writer, table, await createIn(services, writer, table, given)),
        )
      }),
    ),
    find: withCallSite(async (name: string, wanted: string | Given) => {
      const reader = store.current
      const table = tableOf(reader, name)
      const find = (values: Given) => {
        checkValues(`records.find of "${name}", or the id or record,`, values)
        const unknown = Object.keys(values).find((key) => table.field(key) === undefined)
        if (unknown !== undefined) throw new Error(`The ${noField(table, unknown)}`)
        const wanted = Object.entries(values).map(([key, value]) => {
          rejectNoValue(table, key, value)
          return [key, givenValue(table.field(key), value)] as const
        })
        return findByValues(reader, table, Object.fromEntries(wanted))
      }
      const isById = typeof wanted === 'string' || isRecord(wanted)
      const row = isById ? reader.get(table, idOfRecord(table, wanted)) : find(wanted)
      return row && renderFromCode(services, reader, table, row)
    }),
    list: withCallSite((name: string, query: ListQuery = {}) =>
      explained(`The records of "${String(name)}" cannot be listed`, async () => {
        checkListQuery(query)
        const { current } = store
        const table = tableOf(current, name)
        const scope = ruleScope(contextFromCode(services, table.name), current, table)
        rejectUnknownStep(table, parseExpand(query.expand ?? ''), scope)
        return listAll(services, current, table.name, query)
      }),
    ),
    update: withCallSite((name: string, record: unknown, given: Given) =>
      explained(`Record "${shownId(record)}" of "${String(name)}" cannot be updated`, async () => {
        const table = tableOf(store.current, name)
        const id = idOfRecord(table, record)
        const body = await toBody(table, given, environment)
        const response = await store.transaction((writer) =>
          updateRecord(contextFromCode(services, table.name, id), body, writer),
        )
        return unshared(response.body)
      }),
    ),
    delete: withCallSite((name: string, record: unknown) =>
      explained(`Record "${shownId(record)}" of "${String(name)}" cannot be deleted`, async () => {
        const table = tableOf(store.current, name)
        const id = idOfRecord(table, record)
        return store.transaction((writer) => {
          const row = writer.get(table, id)
          if (row !== undefined) removeRecord(writer, table, row, environment)
          return row !== undefined
        })
      }),
    ),
    count: (name: string) => store.current.count(tableOf(store.current, name)),
  }
  return api as unknown as RecordsApi
}
