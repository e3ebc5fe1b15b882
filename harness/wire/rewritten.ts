/**
 * The `request` hook: rewrites each request before it is sent, for a target whose syntax no binding can express.
 * Reports show the rewritten request.
 *
 * @module
 */

import { isObject } from '../../exchange/json-object.ts'
import type { OperationId } from '../../spec/vocabulary.ts'
import { ConfigurationError } from '../errors.ts'
import { changes } from '../ownership/written-records.ts'
import { callHook } from '../target/call-hook.ts'
import type { CleanUp } from '../vocabulary/session.ts'
import type { Wire } from '../vocabulary/wire.ts'
import type { WireRequest } from './transport.ts'

/**
 * The request from the hook; unchanged without a hook. A binary body is not passed to the hook.
 *
 * @throws ConfigurationError if the hook fails, or returns anything but parts of a request
 */
export async function rewritten(
  session: Wire & CleanUp,
  operation: OperationId | undefined,
  request: WireRequest,
): Promise<WireRequest> {
  if (session.target.hooks?.request === undefined) return request
  const { method, path, headers, body } = request
  const given = { operation, method, path, headers, ...(typeof body === 'string' ? { body } : {}) }
  const wanted = (await callHook(session.target, 'request', given)) ?? {}
  if (!isPartOfRequest(wanted))
    throw new ConfigurationError(
      'the hook "request" did not return { method?, path?, headers?, body? }',
      'hooks.request',
      'return only the properties to change: strings, and headers as an object of strings',
    )
  const changed = { ...request, ...wanted }
  if (changed.path === path && changed.method === method) return changed
  // The rewritten request may have a different target than the one that was checked. The ownership check sends reads: a
  // read that becomes a write would cause endless checks.
  if (!changes(method) && changes(changed.method) && changed.method !== 'POST')
    throw new ConfigurationError(
      `the hook "request" changed a read request to ${changed.method}`,
      'hooks.request',
      'use GET or POST for read requests',
    )
  if (changes(method)) await session.ownership.expectOurs(changed)
  return changed
}

type PartOfRequest = Partial<Pick<WireRequest, 'method' | 'path' | 'headers'>> & { body?: string }

function isPartOfRequest(value: unknown): value is PartOfRequest {
  if (!isObject(value)) return false
  const { headers, ...strings } = value
  const areStrings = Object.entries(strings).every(
    ([key, text]) => ['method', 'path', 'body'].includes(key) && typeof text === 'string',
  )
  const areHeaders =
    headers === undefined ||
    (isObject(headers) && Object.values(headers).every((each) => typeof each === 'string'))
  return areStrings && areHeaders
}
