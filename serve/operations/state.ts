/**
 * All served data at once.
 *
 * @module
 */

import { controlOperation, type ServeOperation } from '../operation.ts'
import { currentState, replaceData, rereadFile } from '../replace-data.ts'

export const stateOperations: readonly ServeOperation[] = [
  controlOperation({
    method: 'GET',
    path: 'state',
    groups: ['control', 'console'],
    returns:
      'the whole state, secrets included, in the form that `--data` and `POST state` read: `{ version, tables, records, ... }`',
    run: ({ serving }) => currentState(serving),
  }),
  controlOperation({
    method: 'POST',
    path: 'state',
    groups: ['control', 'console'],
    content: 'the contents of a data file, in any of its formats',
    returns: '`{ tables, records, notices }`: names and counts, once the data has replaced all other data',
    run: ({ serving, content }) => replaceData(serving, content),
  }),
  controlOperation({
    method: 'POST',
    path: 'reload',
    groups: ['control'],
    returns:
      '`{ tables, records, notices }`, once the data file has been read again. 409 without a data file',
    run: ({ serving }) => rereadFile(serving),
  }),
]
