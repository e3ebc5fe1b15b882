/**
 * No lawful server is accused. `npm test` looks at what the variations declare, and test/independent.test.ts judges a
 * lawful server. `npm run test:full` runs a share of the matrix as a test, and `npm run variations` all of it.
 */

import { beforeAll, describe, expect, it } from 'vitest'
import { loadVariations } from '../proofs/variations/matrix/registry.ts'
import { runVariations, wholeNames } from '../proofs/variations/matrix/run-variations.ts'
import { isWrongVerdict, type VariationRow } from '../proofs/variations/matrix/variation-row.ts'
import { inFull } from '../scripts/support/in-full.ts'
import { loadRequirements } from '../spec/requirements.ts'

describe.runIf(inFull)('the acquittal matrix', () => {
  let rows: VariationRow[]
  beforeAll(async () => {
    rows = await runVariations({ every: 64 })
  }, 900_000)

  it('accuses no lawful server, leaves none without a verdict, and meets each', () => {
    expect(rows.filter(isWrongVerdict)).toEqual([])
  })

  it('accuses none if the run knows the address alone', { timeout: 900_000 }, async () => {
    const unaided = await runVariations({ every: 96, extent: 'unaided' })
    expect(unaided.filter(isWrongVerdict)).toEqual([])
  })
})

describe('the variations', () => {
  it('are near each requirement of the document', async () => {
    const near = new Set((await loadVariations()).flatMap(({ near }) => near))
    const far = [...loadRequirements().values()].filter(
      ({ id, basis }) => basis !== 'profile' && !near.has(id),
    )
    expect(far.map(({ id }) => id)).toEqual([])
  })

  it('are not run if a text names none, whatever the others name', async () => {
    await expect(runVariations({ texts: ['batch', 'no such thing'] })).rejects.toThrow(
      'No variation is called, or is near to, anything like "no such thing"',
    )
  })

  it('are combined by their whole names', async () => {
    const [one, other] = (await loadVariations()).map(({ name }) => name) as [string, string]
    expect(await wholeNames([other, one])).toEqual([other, one])
    await expect(wholeNames([one, 'no such thing'])).rejects.toThrow('No variation is called "no such thing"')
    await expect(wholeNames([])).rejects.toThrow('No variation is named.')
  })

  it('name requirements of the document', async () => {
    const requirements = loadRequirements()
    const ofTheDocument = (id: string) => ['stated', 'implied'].includes(requirements.get(id)?.basis ?? '')
    for (const { name, near, declares = {} } of await loadVariations()) {
      expect(
        [...near, ...Object.keys(declares)].filter((id) => !ofTheDocument(id)),
        name,
      ).toEqual([])
    }
  })
})
