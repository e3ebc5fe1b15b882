/**
 * Deleting a record that others refer to (contract-records 4.6). Rules of the referring tables are not evaluated: a
 * caller who may delete a record may also have its references removed.
 *
 * @module
 */

import { settleRemoval } from '../auth/settle-account.ts'
import { badRequest } from '../errors.ts'
import { stampDates } from '../fields/fill-generated.ts'
import { UniqueViolation } from '../store/unique-violation.ts'
import type { Environment, Field, Row, Table, Value, Writer } from '../vocabulary.ts'
import { dropFiles } from './save.ts'

const rejection =
  'Failed to delete record. Make sure that the record is not part of a required relation reference.'

function relationsTo(writer: Writer, target: Table): { table: Table; field: Field }[] {
  const relations: { table: Table; field: Field }[] = []
  for (const table of writer.tables()) {
    for (const field of table.fields) {
      const { definition } = field
      if (definition.type !== 'relation' || definition.collectionId !== target.id) continue
      // Cascading relations come first: a record that is deleted anyway cannot prevent the deletion through another
      // field.
      if (definition.cascadeDelete) relations.unshift({ table, field })
      else relations.push({ table, field })
    }
  }
  return relations
}

/** The value without `id`: a shorter list, or an empty value. */
function without(value: Value | undefined, id: string): Value {
  return Array.isArray(value) ? value.filter((entry) => entry !== id) : ''
}

/** One deletion in progress. */
interface Deletion {
  writer: Writer
  environment: Environment
  waiting: { table: Table; row: Row }[]
  /**
   * `table/record` of all records to delete: a relation that requires one of them does not matter if its record is
   * deleted too.
   */
  doomed: Set<string>
}

function doom(deletion: Deletion, table: Table, row: Row): void {
  const key = `${table.id}/${row.id}`
  if (deletion.doomed.has(key)) return
  deletion.doomed.add(key)
  deletion.waiting.push({ table, row })
}

/** @param id of the deleted record, which is of the table `target` */
function detach(
  deletion: Deletion,
  table: Table,
  field: Field,
  referrer: Row,
  { name: target }: Table,
  id: string,
): void {
  const { definition } = field
  if (definition.type !== 'relation' || deletion.doomed.has(`${table.id}/${referrer.id}`)) return
  const left = without(referrer.values[field.name], id)
  const empty = left === '' || (Array.isArray(left) && left.length === 0)
  if (empty && definition.cascadeDelete) {
    doom(deletion, table, referrer)
    return
  }
  if (empty && definition.required) {
    throw badRequest(
      () =>
        `${table.name}/${referrer.id} requires ${target}/${id} in its field "${field.name}", without cascadeDelete: delete that record first.`,
      rejection,
    )
  }
  const changed = { ...referrer.values, [field.name]: left }
  const values = stampDates(table, changed, 'update', deletion.environment.now())
  try {
    deletion.writer.replace(table, referrer, values)
  } catch (error) {
    // A unique index may allow only one record without a reference.
    if (!(error instanceof UniqueViolation)) throw error
    throw badRequest(
      () =>
        `Without ${target}/${id} in its field "${field.name}", ${table.name}/${referrer.id} would have the same values of the unique index "${error.index}" as another record.`,
      rejection,
    )
  }
}

/**
 * Removes a record, its id in the lists of other records, and the records that cascade with it. Nothing is removed if a
 * record that requires it would be left without a reference, or a changed record would violate a unique index.
 *
 * @throws ApiError 400 in these cases; the transaction must be rolled back
 */
export function removeRecord(writer: Writer, table: Table, row: Row, environment: Environment): void {
  const deletion: Deletion = { writer, environment, waiting: [], doomed: new Set() }
  const relations = new Map<Table, { table: Table; field: Field }[]>()
  doom(deletion, table, row)
  for (let next = deletion.waiting.pop(); next !== undefined; next = deletion.waiting.pop()) {
    dropFiles(writer, next.table, next.row)
    writer.remove(next.table, next.row)
    settleRemoval(writer, next.table, next.row)
    const pointing = relations.get(next.table) ?? relationsTo(writer, next.table)
    relations.set(next.table, pointing)
    for (const { table: from, field } of pointing) {
      for (const referrer of [...writer.referrers(from, field, next.row.id)]) {
        detach(deletion, from, field, referrer, next.table, next.row.id)
      }
    }
  }
}
