import { describe, expect, it } from 'vitest'
import { ConfigurationError } from '../errors.ts'
import { targetOf } from '../target/target-file.ts'
import type { ApiResponse } from '../vocabulary/api.ts'
import type { Session } from '../vocabulary/session.ts'
import { expectTables } from './expect-tables.ts'

const sessionOf = (more: object, isRoot = false) =>
  ({
    target: {
      ...targetOf({ baseUrl: 'http://127.0.0.1:1', tables: { plain: { name: 'notes' } } }, 'a file', {}),
      ...more,
    },
    actors: { knows: () => isRoot },
  }) as unknown as Session

describe('an address at which nothing is found', () => {
  const bare = { explored: { plain: [], closed: [], members: [] } }
  const tried =
    (status: number, more: object = bare) =>
    () =>
      expectTables(sessionOf(more), { status } as ApiResponse)

  it.each([
    [
      404,
      /no table was found under \/api\/v1.*404/,
      /--prefix PATH.*--table NAME.*CONFORMANCE_SUPERUSER_TOKEN/,
    ],
    [421, /no table was found under \/api\/v1: .* 421/, /--header 'NAME:\$VARIABLE'.*--table NAME/],
    [401, /guests get status 401 everywhere/, /CONFORMANCE_SUPERUSER_TOKEN, use --header 'NAME:\$VARIABLE'/],
  ])('with status %i gets the next step', (status, fact, next) => {
    try {
      tried(status)()
      expect.unreachable()
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigurationError)
      expect((error as ConfigurationError).fact).toMatch(fact)
      expect((error as ConfigurationError).next).toMatch(next)
    }
  })

  it('goes on where there may be accounts, and names tables that are closed', () => {
    const explored = { plain: [], closed: [], members: [] }
    const table = { role: 'plain', name: 'projects' }
    expect(tried(404, { explored: { ...explored, members: [table] } })).not.toThrow()
    expect(tried(404, { explored: { ...explored, closed: [table] } })).toThrow(/projects rejects them/)
  })

  it('gets the next step where a superuser finds nothing either', () => {
    const withRoot = (status: number, explored: object) => () =>
      expectTables(sessionOf({ explored }, true), { status } as ApiResponse)
    const { explored } = bare
    const table = { role: 'plain', name: 'projects' }
    expect(withRoot(404, explored)).toThrow(/404 .* and the superuser finds no table either/)
    for (const found of ['plain', 'closed', 'members'])
      expect(withRoot(404, { ...explored, [found]: [table] })).not.toThrow()
    expect(withRoot(429, explored)).not.toThrow()
  })

  it('is for the checks to judge where a target file names tables', () => {
    expect(tried(404, {})).not.toThrow()
    expect(tried(200)).not.toThrow()
  })
})
