/**
 * The `request` hook: a target whose words no binding can express rewrites each request before it is sent. What is sent is
 * what reports show.
 *
 * @module
 */

import { isObject } from '../../exchange/json-object.ts'
import type { OperationId } from '../../spec/vocabulary.ts'
import { ConfigurationError } from '../errors.ts'
import { changes } from '../ownership/written-records.ts'
import { callHook } from '../target/call-hook.ts'
import type { Session } from '../vocabulary/session.ts'
import type { WireRequest } from './transport.ts'

/**
 * The request as the hook wants it; the same where there is no hook. A body that is no text is not given to the hook.
 *
 * @throws ConfigurationError where the hook fails, or returns something else than parts of a request
 */
export async function rewritten(
  session: Session,
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
  // It may lead elsewhere than the request that was looked at. Looking reads: a read that wrote would never end.
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
  const { headers, ...texts } = value
  const areTexts = Object.entries(texts).every(
    ([key, text]) => ['method', 'path', 'body'].includes(key) && typeof text === 'string',
  )
  const areHeaders =
    headers === undefined ||
    (isObject(headers) && Object.values(headers).every((each) => typeof each === 'string'))
  return areTexts && areHeaders
}
