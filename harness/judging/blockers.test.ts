import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../exchange/exchange.ts'
import type { OperationId, Requirement } from '../../spec/vocabulary.ts'
import type { Status } from '../vocabulary/finding.ts'
import { blockerOf, missingOnTheWay, missingOperation } from './blockers.ts'

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

const message = { headers: {}, body: '', bytes: 0 }
const exchange = (operation: OperationId, status?: number): Exchange => ({
  number: 1,
  operation,
  actor: 'guest',
  request: { ...message, method: 'POST', url: '/' },
  response: status === undefined ? undefined : { ...message, status },
  ms: 1,
})

describe('an operation that a failed check needed on the way', () => {
  const missing = (id: string, operations: OperationId[], last: Exchange, statuses: Record<string, Status>) =>
    missingOnTheWay({ id, operations }, [exchange('createRecord', 200), last], known(statuses))
  const failed = { 'operation.view-record': 'fail' } as const

  it.each([405, 404])('blocks the check if it does not exist (%i)', (status) => {
    expect(missing('create.json', ['createRecord'], exchange('viewRecord', status), failed)).toEqual({
      operation: 'viewRecord',
      status,
      existence: 'operation.view-record',
    })
  })

  it('blocks it also where the sign-in methods were looked at since', () => {
    const exchanges = [exchange('authRefresh', 404), exchange('listAuthMethods', 200)]
    const statuses = known({ 'operation.auth-refresh': 'fail' })
    const blocked = { operation: 'authRefresh', status: 404, existence: 'operation.auth-refresh' }
    const about = (operations: OperationId[]) => ({ id: 'auth.user-token', operations })
    expect(missingOnTheWay(about(['authWithPassword']), exchanges, statuses)).toEqual(blocked)
    expect(missingOnTheWay(about(['listAuthMethods']), exchanges, statuses)).toBeUndefined()
  })

  it('blocks it where only the status shows it, unless the check is about the operation', () => {
    const last = exchange('viewRecord', 405)
    expect(missing('create.json', ['createRecord'], last, {})).toEqual({
      operation: 'viewRecord',
      status: 405,
      existence: undefined,
    })
    expect(missing('view.record', ['viewRecord'], last, {})).toBeUndefined()
    expect(missing('create.json', ['createRecord'], exchange('viewRecord', 404), {})).toBeUndefined()
  })

  it.each<[string, string, Exchange, Record<string, Status>]>([
    ['exists', 'create.json', exchange('viewRecord', 405), { 'operation.view-record': 'pass' }],
    ['responded', 'create.json', exchange('viewRecord', 200), failed],
    ['did not respond', 'create.json', exchange('viewRecord'), failed],
    ['is what is checked', 'operation.view-record', exchange('viewRecord', 405), failed],
  ])('does not block it if the operation %s', (_, id, last, statuses) => {
    expect(missing(id, [], last, statuses)).toBeUndefined()
  })
})

describe('a precondition that does not hold', () => {
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
