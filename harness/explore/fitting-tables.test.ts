/** Which tables are tried for accounts. */

import { expect, it } from 'vitest'
import type { FoundTable } from './find-tables.ts'
import { fittingTables } from './fitting-tables.ts'

const found = (name: string, facts: Partial<FoundTable> = {}): FoundTable => ({
  name,
  auth: false,
  open: true,
  rows: [],
  ...facts,
})
const membersOf = (...tables: FoundTable[]) => fittingTables(tables).members.map(({ name }) => name)

it('tries a table for accounts by its name where none reports sign-in methods', () => {
  expect(membersOf(found('posts'), found('authors'), found('users'))).toEqual(['authors', 'users'])
})

it('tries none by its name alone where another one reports sign-in methods', () => {
  const coaches = found('coaches', { auth: true, methods: true, open: false })
  expect(membersOf(found('authors'), coaches, found('users', { auth: true, methods: true }))).toEqual([
    'users',
    'coaches',
  ])
})
