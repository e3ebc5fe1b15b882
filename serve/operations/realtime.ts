/**
 * Realtime connections of clients.
 *
 * @module
 */

import { controlOperation, type ServeOperation } from '../operation.ts'

export const realtimeOperations: readonly ServeOperation[] = [
  controlOperation({
    method: 'GET',
    path: 'realtime',
    groups: ['control'],
    returns: '`{ connections }`: how many clients are connected',
    run: ({ serving }) => ({ connections: serving.reference.realtime.connections }),
  }),
  controlOperation({
    method: 'DELETE',
    path: 'realtime',
    groups: ['control'],
    returns: '204. Ends all realtime connections, like a restart: clients reconnect',
    run: ({ serving }) => serving.reference.realtime.disconnect(),
  }),
]
