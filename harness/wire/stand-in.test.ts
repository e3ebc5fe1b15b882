import { expect, it } from 'vitest'
import type { Session } from '../vocabulary/session.ts'
import { learnIdentifiers, standInToken } from './stand-in.ts'

const table = (name: string) => ({ role: name, name })
const session = () =>
  ({
    standIns: new Map([['notes', 'a-token']]),
    identifiers: new Map(),
    binding: { prefix: '/api/v1' },
    target: { tables: { plain: table('notes'), locked: table('vault') } },
  }) as unknown as Session

const batchOf = (...tables: string[]) => ({
  method: 'POST',
  path: '/api/v1/batch',
  body: JSON.stringify({
    requests: tables.map((name) => ({
      method: 'POST',
      url: `/api/v1/collections/${name}/records`,
      body: {},
    })),
  }),
})
const create = (name: string) => ({ method: 'POST', path: `/api/v1/collections/${name}/records` })

it('sends the requests to its tables, by name and by the identifier that a record shows', () => {
  const standing = session()
  expect(standInToken(standing, create('notes'))).toBe('a-token')
  expect(standInToken(standing, create('t1'))).toBeUndefined()
  learnIdentifiers(standing, { id: 'r1', collectionId: 't1', collectionName: 'notes' })
  learnIdentifiers(standing, { id: 'r2', collectionId: 't2', collectionName: 'vault' })
  expect(standInToken(standing, create('t1'))).toBe('a-token')
  expect(standInToken(standing, create('t2'))).toBeUndefined()
})

it('sends no batch that writes to a table at which it does not stand in: that one is of a guest', () => {
  expect(standInToken(session(), batchOf('notes'))).toBe('a-token')
  expect(standInToken(session(), batchOf('notes', 'no_such_table'))).toBe('a-token')
  expect(standInToken(session(), batchOf('vault'))).toBeUndefined()
  expect(standInToken(session(), batchOf('notes', 'vault'))).toBeUndefined()
})

it('knows such a table by its identifier, too', () => {
  const standing = session()
  learnIdentifiers(standing, { items: [{ id: 'r2', collectionId: 't2', collectionName: 'vault' }] })
  expect(standInToken(standing, batchOf('t2'))).toBeUndefined()
  expect(standInToken(standing, batchOf('notes', 't2'))).toBeUndefined()
})

it('sends a batch that also writes to a table that is open to everyone', () => {
  const standing = {
    ...session(),
    target: {
      tables: { plain: { role: 'plain', name: 'tags' }, child: { ...table('notes'), as: 'account' } },
    },
  } as unknown as Session
  expect(standInToken(standing, batchOf('tags', 'notes'))).toBe('a-token')
  expect(standInToken(standing, batchOf('tags'))).toBeUndefined()
})

it('sends a batch as the superuser who stands in at one of its tables', () => {
  const standing = {
    ...session(),
    standIns: new Map([
      ['notes', 'of-an-account'],
      ['tags', 'of-the-superuser'],
    ]),
    target: {
      tables: {
        plain: { ...table('notes'), as: 'account' },
        related: { ...table('tags'), as: 'superuser' },
      },
    },
  } as unknown as Session
  expect(standInToken(standing, batchOf('notes'))).toBe('of-an-account')
  expect(standInToken(standing, batchOf('notes', 'tags'))).toBe('of-the-superuser')
  expect(standInToken(standing, batchOf('tags'))).toBe('of-the-superuser')
})
