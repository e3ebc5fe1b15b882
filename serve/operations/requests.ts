/**
 * The requests that the interface received.
 *
 * @module
 */

import { summaryOf } from '../exchange-summary.ts'
import { controlOperation, type ServeOperation } from '../operation.ts'
import { repeatableExchange, repeatRequest } from '../repeat-request.ts'

export const requestOperations: readonly ServeOperation[] = [
  controlOperation({
    method: 'GET',
    path: 'requests',
    groups: ['control'],
    returns: '`{ requests, notRecorded }` since the last reset. Each request includes its findings',
    async run({ serving }) {
      await serving.settled()
      return serving.exchanges.sinceMark()
    },
  }),
  controlOperation({
    method: 'GET',
    path: 'requests',
    groups: ['console'],
    returns: 'all of them, without headers and bodies',
    async run({ serving }) {
      // Requests from before the page was opened are not recorded yet.
      await serving.settled()
      const { exchanges } = serving
      return { requests: exchanges.list().map(summaryOf), notRecorded: exchanges.notRecorded }
    },
  }),
  controlOperation({
    method: 'GET',
    path: 'requests/{id}',
    groups: ['control', 'console'],
    returns: 'one request, with the `curl` command that repeats it',
    run: ({ serving, parameters: { id = '' } }) => repeatableExchange(serving, Number(id)),
  }),
  controlOperation({
    method: 'POST',
    path: 'requests/{id}/repeat',
    groups: ['console'],
    returns: '`{ id }` of the new request, once it is logged',
    run: ({ serving, parameters: { id = '' } }) => repeatRequest(serving, Number(id)),
  }),
  controlOperation({
    method: 'DELETE',
    path: 'requests',
    groups: ['control', 'console'],
    returns: '204. Forgets all requests',
    run: ({ serving }) => serving.exchanges.clear(),
  }),
]
