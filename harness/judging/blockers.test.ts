import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../exchange/exchange.ts'
import type { OperationId, Requirement } from '../../spec/vocabulary.ts'
import type { Status } from '../vocabulary/finding.ts'
import { blockerOf, missingOperation } from './blockers.ts'

const known = (statuses: Record<string, Status>) =>
  new Map(Object.entries(statuses).map(([id, status]) => [id, { status }]))

describe('an operation that does not exist', () => {
  const failed = known({ 'operation.auth-refresh': 'fail', 'operation.batch': 'pass' })

  it.each<[string, OperationId[], string | undefined]>([
    ['refresh.session-required', ['authRefresh'], 'operation.auth-refresh'],
    ['auth.table-by-id', ['authWithPassword', 'authRefresh'], 'operation.auth-refresh'],
    ['batch.all-or-nothing', ['batch'], undefined],
    // Checked at the operations that there are.
    ['wire.json', ['authRefresh'], undefined],
    ['operation.auth-refresh', ['authRefresh'], undefined],
  ])('keeps %s, about %j, from being judged: %s', (id, operations, blocker) => {
    expect(missingOperation({ id, operations }, failed)).toBe(blocker)
  })
})

describe('a precondition that does not hold', () => {
  const message = { headers: {}, body: '', bytes: 0 }
  const exchange = (operation: OperationId, status?: number): Exchange => ({
    number: 1,
    operation,
    actor: 'guest',
    request: { ...message, method: 'POST', url: '/' },
    response: status === undefined ? undefined : { ...message, status },
    ms: 1,
  })
  const requirement = (...operations: OperationId[]) => ({ operations }) as Pick<Requirement, 'operations'>
  const requirements = new Map([
    ['wire.json-errors', requirement('authWithPassword')],
    ['view.record', requirement('viewRecord')],
    ['auth.password-sign-in', requirement('authWithPassword')],
  ])
  const blocker = (exchanges: Exchange[], statuses: Record<string, Status>) =>
    blockerOf(exchanges, known(statuses), requirements)

  it('is blocked by a failed requirement about the request that was rejected last', () => {
    const failed = {
      'wire.json-errors': 'fail',
      'view.record': 'fail',
      'auth.password-sign-in': 'fail',
    } as const
    expect(blocker([exchange('createRecord', 200), exchange('authWithPassword', 400)], failed)).toBe(
      'auth.password-sign-in',
    )
    expect(blocker([exchange('viewRecord', 404), exchange('authWithPassword', 400)], failed)).toBe(
      'auth.password-sign-in',
    )
  })

  it('names the operation first, if it does not exist', () => {
    expect(
      blocker([exchange('authWithPassword')], {
        'auth.password-sign-in': 'fail',
        'operation.auth-with-password': 'fail',
      }),
    ).toBe('operation.auth-with-password')
  })

  it('names none if none failed', () => {
    expect(blocker([exchange('authWithPassword', 400)], { 'auth.password-sign-in': 'pass' })).toBeUndefined()
    expect(blocker([exchange('authWithPassword', 200)], { 'auth.password-sign-in': 'fail' })).toBeUndefined()
    expect(blocker([], {})).toBeUndefined()
  })
})
