/**
 * All checks beyond the schema, by operation.
 *
 * @module
 */

import { isObject } from '../../exchange/json-object.ts'
import { isSuccess } from '../../spec/status-range.ts'
import { judgeBatchResults } from './batch-results.ts'
import { judgeFiltered } from './filtered.ts'
import { isShortened, type Judged, type Judging, mayMean, parameter } from './judging.ts'
import { judgeListPage } from './list-page.ts'
import { judgePicked } from './picked.ts'
import { claimRecords, judgeRecord, judgeRecords } from './records.ts'
import { judgeSecrets } from './secrets.ts'
import { judgeSorted } from './sorted.ts'

export function judgeBeyond(judged: Judged): void {
  const { reading, found } = judged
  const { status } = reading
  judgeSecrets(judged)
  if (found !== undefined && reading.body !== undefined && isSuccess(status))
    judgeSuccess({ ...judged, found })
}

function judgeSuccess(judging: Judging): void {
  const { reading, found, query } = judging
  const { body } = reading
  const fields = parameter(query, 'fields')
  switch (found.operation.id) {
    case 'listRecords': {
      if (!isObject(body)) return
      judgeListPage(judging, body)
      const { items } = body
      if (!Array.isArray(items)) return
      claimRecords(judging)
      judgeRecords(judging, items, found.table)
      judgeSorted(judging, items)
      judgeFiltered(judging, items)
      if (fields !== undefined) judgePicked(judging, fields, [['/items', items]])
      return
    }
    case 'viewRecord':
    case 'createRecord':
    case 'updateRecord':
      claimRecords(judging)
      judgeRecord(judging, body, found.table, '')
      judgeIdentity(judging, body)
      break
    case 'batch':
      if (Array.isArray(body)) {
        claimRecords(judging)
        judgeBatchResults(judging, body)
      }
      break
    default:
      if (isObject(body) && isObject(body.record)) {
        claimRecords(judging)
        judgeRecord(judging, body.record, found.table, '/record')
      }
  }
  if (fields !== undefined) judgePicked(judging, fields, [['', body]])
}

/** The response contains the record that the path names. */
function judgeIdentity(judging: Judging, body: unknown): void {
  const { found, query, add, claim } = judging
  if (found.id === '' || !isObject(body) || isShortened(query, 'id')) return
  const requirement = found.operation.id === 'updateRecord' ? 'update.status' : 'view.record'
  claim(requirement)
  if (typeof body.id === 'string' && !mayMean(judging, found.id, body.id))
    add(requirement, '/id', `the record of the path, ${found.id}`, body.id)
}
