/**
 * What adds to the served data as a whole: records of several tables, and tables.
 *
 * @module
 */

import { controlOperation, type ServeOperation } from '../operation.ts'
import { addRecords, addServedTables, recordsIn } from '../replace-data.ts'

export const additionOperations: readonly ServeOperation[] = [
  controlOperation({
    method: 'POST',
    path: 'records',
    groups: ['control'],
    content: 'arrays of records by table: `{ posts: [{ title: "Hello" }] }`',
    returns:
      '`{ records, notices }` by table, as they are stored. Relations may point to records of any of the tables',
    run: ({ serving, content }) => addRecords(serving, recordsIn(content)),
  }),
  controlOperation({
    method: 'POST',
    path: 'tables',
    groups: ['control'],
    content: 'an array of table definitions, or an export of the living server family',
    returns:
      '`{ tables, notices }`: names of the tables that were added, and what was left out or is probably misspelled',
    run: ({ serving, content }) => addServedTables(serving, content),
  }),
]
