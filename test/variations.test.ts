/** No lawful server is accused: a share of the acquittal matrix. `npm run variations` runs all of it. */

import { beforeAll, describe, expect, it } from 'vitest'
import { loadVariations } from '../proofs/variations/matrix/registry.ts'
import { runVariations } from '../proofs/variations/matrix/run-variations.ts'
import { isWrongVerdict, type VariationRow } from '../proofs/variations/matrix/variation-row.ts'
import { loadRequirements } from '../spec/requirements.ts'

describe('the acquittal matrix', () => {
  let rows: VariationRow[]
  beforeAll(async () => {
    rows = await runVariations({ every: 128 })
  }, 900_000)

  it('accuses no lawful server, leaves none without a verdict, and meets each', () => {
    expect(rows.filter(isWrongVerdict)).toEqual([])
  })

  it('has a variation near each requirement of the document', async () => {
    const near = new Set((await loadVariations()).flatMap(({ near }) => near))
    const far = [...loadRequirements().values()].filter(
      ({ id, basis }) => basis !== 'profile' && !near.has(id),
    )
    expect(far.map(({ id }) => id)).toEqual([])
  })

  it('names requirements of the document', async () => {
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
