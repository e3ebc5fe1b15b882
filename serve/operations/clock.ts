/**
 * The clock of the served data.
 *
 * @module
 */

import { controlOperation, type ServeOperation } from '../operation.ts'

const clockFacts = '`{ now, frozen, ahead }`'

export const clockOperations: readonly ServeOperation[] = [
  controlOperation({
    method: 'GET',
    path: 'clock',
    groups: ['control', 'console'],
    returns: clockFacts,
    run: ({ serving }) => serving.clock.facts(),
  }),
  controlOperation({
    method: 'POST',
    path: 'clock',
    groups: ['control', 'console'],
    body: {
      set: { type: 'any', says: 'a time, in ISO 8601 or in milliseconds since 1970, or `system`' },
      advance: { type: 'any', says: 'milliseconds, or a string such as `90s`, `15m`, `2h` or `1d`' },
      freeze: { type: 'any', says: '`true`, or the time to stop at' },
      unfreeze: { type: 'any', says: '`true`' },
    },
    returns: clockFacts,
    run: ({ serving, body }) => serving.clock.command(body),
  }),
]
