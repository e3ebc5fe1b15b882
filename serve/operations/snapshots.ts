/**
 * Return to an earlier state: the initial one, or a snapshot.
 *
 * @module
 */

import { controlOperation, type ServeOperation } from '../operation.ts'

export const snapshotOperations: readonly ServeOperation[] = [
  controlOperation({
    method: 'POST',
    path: 'reset',
    groups: ['control', 'console'],
    returns: '204. Restores the data that was loaded last, and sets the clock to its start',
    async run({ serving }) {
      await serving.settled()
      serving.exchanges.mark()
      serving.reset()
    },
  }),
  controlOperation({
    method: 'POST',
    path: 'snapshot',
    groups: ['control'],
    returns: '`{ id }`',
    run: ({ serving }) => serving.snapshots.take(),
  }),
  controlOperation({
    method: 'POST',
    path: 'restore',
    groups: ['control'],
    body: { id: { type: 'string', says: 'a snapshot. Default: the last one that was taken' } },
    returns: '`{ id }`',
    async run({ serving, body }) {
      const restored = serving.snapshots.restore(body.id)
      await serving.settled()
      serving.exchanges.mark()
      return restored
    },
  }),
]
