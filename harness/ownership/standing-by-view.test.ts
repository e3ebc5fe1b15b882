import { expect, it } from 'vitest'
import { standardBinding } from '../../spec/gaps.ts'
import type { Api, ApiResponse } from '../vocabulary/api.ts'
import { standingByView, unproven } from './standing-by-view.ts'

const scopes = new Set(['abcdef'])
const shows = (record: object) =>
  ({
    view: async () => ({ status: 200, ok: true, body: { id: 'r1', ...record } }) as ApiResponse,
  }) as unknown as Api
const stranger = shows({ name: 'Ann' })
const itself = shows({ name: 'Ann', email: 'm-abcdef001@example.com' })

/** The standing of an account that these clients view, one after the other, and then a guest. */
function standingSeenBy(...viewers: Api[]) {
  return standingOf(viewers, undefined)
}

/** The same after a superuser, if there is one. */
function standingOf(
  viewers: readonly Api[],
  superuser: Api | undefined,
  { guest = stranger, isVisible = false } = {},
) {
  const session = {
    actors: { knows: (actor: string) => actor === 'superuser' && superuser !== undefined },
    cleaner: (actor: string) => (actor === 'superuser' ? superuser : guest),
    mostAble: () => superuser ?? guest,
    binding: standardBinding(),
    scopes,
  }
  const known = {
    table: 'users',
    id: 'r1',
    marks: ['abcdef001'],
    viewers: viewers.map((viewer) => async () => viewer),
    scopes,
    proven: false,
    seen: false,
  }
  return standingByView(session as unknown as Parameters<typeof standingByView>[0], {
    table: 'users',
    id: 'r1',
    known,
    wasOurs: false,
    isVisible,
    isPrior: () => false,
  })
}

it('an account is proven by the first client that sees its address', async () => {
  // A session that has ended sees what a guest sees.
  expect(await standingSeenBy(stranger, itself)).toBe('ours')
  expect(await standingSeenBy(itself, stranger)).toBe('ours')
})

it('a record in which no client sees a mark is left alone', async () => {
  expect(await standingSeenBy(stranger, stranger)).toEqual({ foreign: unproven })
})

const rejecting = {
  view: async () => ({ status: 401, ok: false }) as ApiResponse,
  list: async () => ({ status: 401, ok: false }) as ApiResponse,
} as unknown as Api

it('a record is proven by another client where the server rejects the superuser', async () => {
  expect(await standingOf([itself], rejecting)).toBe('ours')
  // What others do not see may still exist.
  expect(await standingOf([stranger], rejecting)).toEqual({ unknown: 'a view of it returned 401' })
})

it('a record that no view returned is gone where its table shows every record', async () => {
  const without = {
    view: async () => ({ status: 404, ok: false }) as ApiResponse,
    list: async () => ({ status: 200, ok: true, body: { items: [] } }) as unknown as ApiResponse,
  } as unknown as Api
  expect(await standingOf([], undefined, { guest: without, isVisible: true })).toBe('gone')
  expect(await standingOf([], undefined, { guest: without })).toMatchObject({
    unknown: expect.stringContaining('superuser'),
  })
})
