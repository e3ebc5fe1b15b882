import { expect, it } from 'vitest'
import type { CleanUp, Course, RunSettings } from '../vocabulary/session.ts'
import type { TableRef } from '../vocabulary/target.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { batchToOurs, batchToTheirs } from './batch-to-theirs.ts'

const users: TableRef = { role: 'members', name: 'users', fields: { name: 'nickname' } }
/** The records of the table have shown its identifier, which no target file names. */
const session = {
  ownership: { mapped: (segment: string) => (['users', 'tbl_2'].includes(segment) ? users : undefined) },
} as unknown as Pick<Wire, 'target' | 'binding'> & CleanUp & Course & RunSettings

const update = (table: string, body: Record<string, unknown>) => ({
  method: 'PATCH' as const,
  url: `/api/v1/collections/${table}/records/7`,
  body,
})

it.each(['users', 'tbl_2'])('a sub-request has the names of the target under %s', (table) => {
  const requests = [update(table, { name: 'a' })]
  expect(batchToTheirs(session, '/api/v1', requests)).toEqual([update(table, { nickname: 'a' })])
  const response = { body: [{ status: 200, body: { id: '7', nickname: 'a' } }] } as unknown as Parameters<
    typeof batchToOurs
  >[3]
  expect(batchToOurs(session, '/api/v1', requests, response).body).toEqual([
    { status: 200, body: { id: '7', name: 'a' } },
  ])
})

it('keeps the names of a table that has ours', () => {
  const requests = [update('notes', { name: 'a' })]
  expect(batchToTheirs(session, '/api/v1', requests)).toEqual(requests)
})
