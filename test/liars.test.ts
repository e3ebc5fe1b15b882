/**
 * The liars' matrix as a test: whatever a server says about identity, a run touches no record but its own.
 * `npm test` looks at what the liars declare. `npm run test:full` runs every eighth of them as a test, and `npm run liars`
 * all of them.
 */

import { beforeAll, describe, expect, it } from 'vitest'
import { loadSuites } from '../harness/planning/suites.ts'
import { checksAgainst, unknownChecks } from '../proofs/liars/matrix/checks-against.ts'
import type { LiarRow } from '../proofs/liars/matrix/liar-row.ts'
import { loadLiars } from '../proofs/liars/matrix/registry.ts'
import { runLiars } from '../proofs/liars/matrix/run-liars.ts'
import { inFull } from '../scripts/support/in-full.ts'

describe.runIf(inFull)('the liars’ matrix', () => {
  let rows: LiarRow[]

  beforeAll(async () => {
    rows = await runLiars({ extent: 'sample', every: 8 })
  }, 900_000)

  /** By liar, what a list of each row holds; rows with an empty list are left out. */
  function found(list: (row: LiarRow) => readonly string[]) {
    return rows
      .filter((row) => list(row).length > 0)
      .map((row) => ({ liar: row.liar, mode: row.mode, found: list(row) }))
  }

  it('loses no foreign record', () => {
    expect(found(({ lost }) => lost)).toEqual([])
  })

  it('changes no foreign record', () => {
    expect(found(({ changed }) => changed)).toEqual([])
  })

  it('names every record of the run that is left', () => {
    expect(found(({ unnamed }) => unnamed)).toEqual([])
  })

  it('ends every run with a verdict', () => {
    expect(found(({ errors }) => errors)).toEqual([])
  })

  it('has foreign records in every table, and requests that could have touched them', () => {
    for (const { foreign, byServer, requests } of rows) {
      expect(foreign + byServer).toBeGreaterThanOrEqual(23 * 50)
      expect(requests).toBeGreaterThan(50)
    }
  })
})

describe('the liars', () => {
  it('name only checks that exist', async () => {
    expect(unknownChecks(await loadLiars(), await loadSuites())).toEqual([])
  })

  it('meet every check', async () => {
    const [liars, checks] = await Promise.all([loadLiars(), loadSuites()])
    const met = new Set(liars.flatMap((liar, at) => checksAgainst(liar, at, checks, 'sample')))
    expect(checks.filter((check) => !met.has(check)).map(({ id }) => id)).toEqual([])
  })

  it('are not run if none contains the requested string in its name', async () => {
    await expect(runLiars({ filter: 'no such thing' })).rejects.toThrow('anything like "no such thing"')
  })
})
