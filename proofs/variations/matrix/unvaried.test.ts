/**
 * Whatever the document says or leaves open has a lawful variation near it, or a written reason why nothing of it can be
 * seen. That the places cited here are all that the document has is proved by `test/traceability.test.ts`.
 */

import { beforeAll, describe, expect, it } from 'vitest'
import { loadGaps } from '../../../spec/gaps.ts'
import { loadExclusions, loadRequirements } from '../../../spec/requirements.ts'
import type { Source } from '../../../spec/vocabulary.ts'
import type { Variation } from '../variation.ts'
import { loadVariations } from './registry.ts'
import { unvaried } from './unvaried.ts'

const placeOf = ({ section, place }: Source) => `${section} ${place}`
const ofTheDocument = [...loadRequirements().values()].filter(({ basis }) => basis !== 'profile')
const gaps = [...loadGaps().values()]

describe('lawful variations', () => {
  let variations: readonly Variation[]
  beforeAll(async () => {
    variations = await loadVariations()
  })

  it('are allowed by a gap or a place of the document', () => {
    const cited = [...ofTheDocument, ...gaps].flatMap(({ sources }) => sources.map(placeOf))
    const allows = (because: string) =>
      loadGaps().has(because) || cited.some((place) => `${place} `.startsWith(`${because} `))
    expect(variations.filter(({ because }) => !allows(because)).map(({ name }) => name)).toEqual([])
  })

  it('fill every gap in another way, or say why none can be seen', () => {
    const filled = new Set(variations.map(({ because }) => because))
    const open = gaps.filter(({ key }) => !filled.has(key) && unvaried[key] === undefined)
    expect(open.map(({ key }) => key)).toEqual([])
    const stale = Object.keys(unvaried).filter((key) => filled.has(key) || !loadGaps().has(key))
    expect(stale).toEqual([])
  })

  it('are near every sentence and table row that a requirement or a gap cites', () => {
    const near = new Set(variations.flatMap((each) => each.near))
    const reached = new Set([
      ...ofTheDocument.filter(({ id }) => near.has(id)).flatMap(({ sources }) => sources.map(placeOf)),
      // A gap has a variation or a reason: the test above.
      ...gaps.flatMap(({ sources }) => sources.map(placeOf)),
      ...loadExclusions().map(({ source }) => placeOf(source)),
    ])
    const cited = new Set(ofTheDocument.flatMap(({ sources }) => sources.map(placeOf)))
    expect(cited.size).toBeGreaterThan(60)
    expect([...cited].filter((place) => !reached.has(place))).toEqual([])
  })
})
