/**
 * Failures that a client has to cope with.
 *
 * @module
 */

import type { FaultOptions } from '../../reference/testing/fault-options.ts'
import { controlOperation, type ServeOperation } from '../operation.ts'
import { InvalidControlRequest } from '../respond.ts'

export const faultOperations: readonly ServeOperation[] = [
  controlOperation({
    method: 'POST',
    path: 'fault',
    groups: ['control'],
    body: {
      match: {
        type: 'string',
        says: 'the requests: an operation (`createRecord`), a path with `*`, or a method and a path (`POST /collections/posts/*`). Paths do not include the prefix. Default: all',
      },
      status: { type: 'any', says: 'status of the response' },
      body: { type: 'any', says: 'body of the response' },
      headers: { type: 'any', says: 'headers of the response' },
      delay: { type: 'any', says: 'milliseconds before the response, or `[least, most]`' },
      drop: {
        type: 'any',
        says: '`true` or `request`, `response`, or `{ afterBytes }`: ends the connection',
      },
      expired: { type: 'any', says: '`true`: the token of the caller counts as expired' },
      times: { type: 'any', says: 'how often. Default: always' },
      after: { type: 'any', says: 'number of requests that pass first' },
      clear: { type: 'boolean', says: '`true`: remove all faults (send no other keys)' },
    },
    returns: '`{ planned }`',
    run({ serving: { reference }, body: { clear, ...fault } }) {
      if (clear !== true) reference.fault(fault as FaultOptions)
      else if (Object.keys(fault).length === 0) reference.clearFaults()
      else throw new InvalidControlRequest('"clear" removes all faults: send it without other keys.')
      return { planned: clear !== true }
    },
  }),
]
