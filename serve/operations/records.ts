/**
 * Records of one table, whatever its rules say.
 *
 * @module
 */

import { controlOperation, type ServeOperation } from '../operation.ts'
import { addRecords, inventRecords, mostMade, recordsIn, storedRecords } from '../replace-data.ts'

export const recordOperations: readonly ServeOperation[] = [
  controlOperation({
    method: 'GET',
    path: 'records/{table}',
    groups: ['control'],
    returns: '`{ records }`: all records of the table, with hidden fields, without secrets',
    run: ({ serving, parameters: { table = '' } }) => ({ records: storedRecords(serving, table) }),
  }),
  controlOperation({
    method: 'POST',
    path: 'records/{table}',
    groups: ['control'],
    content: 'a record, or an array of records',
    returns: '`{ records, notices }`, as they are stored. Rules do not apply; all are added, or none',
    run: async ({ serving, content, parameters: { table = '' } }) => {
      const rows = recordsIn({ [table]: Array.isArray(content) ? content : [content] })
      const { records, notices } = await addRecords(serving, rows)
      return { records: records[table], notices }
    },
  }),
  controlOperation({
    method: 'POST',
    path: 'make/{table}',
    groups: ['control'],
    body: {
      count: { type: 'integer', least: 1, most: mostMade, says: `how many, at most ${mostMade}. Default: 1` },
      values: { type: 'object', says: 'values of fields. All others are invented' },
    },
    returns:
      '`{ records }`, as they are stored. Required related records are created, too. Rules do not apply',
    run: async ({ serving, body: { count = 1, values = {} }, parameters: { table = '' } }) => ({
      records: await inventRecords(serving, table, count, values),
    }),
  }),
]
