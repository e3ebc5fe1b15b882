import { existsSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { projectTexts } from '../scripts/traceability/project-texts.ts'
import { type Segment, segment } from '../scripts/traceability/segment.ts'
import { loadGaps } from '../spec/gaps.ts'
import { operations } from '../spec/openapi.ts'
import { loadExclusions, loadRequirements } from '../spec/requirements.ts'
import { loadTables } from '../spec/tables.ts'
import type { Source } from '../spec/vocabulary.ts'
import { copiedFinder } from './traceability/copied.ts'

const document = new URL('../../shared/interface.md', import.meta.url)
const present = existsSync(document)

interface Citation {
  by: string
  source: Source
}

function citations(): Citation[] {
  return [
    ...[...loadRequirements().values()].flatMap(({ id, sources }) => cite(id, sources)),
    ...loadExclusions().flatMap(({ source, reason }) => cite(`exclusion "${reason}"`, [source])),
    ...[...loadGaps().values()].flatMap(({ key, sources }) => cite(`gap ${key}`, sources)),
  ]
}

function cite(by: string, sources: readonly Source[]): Citation[] {
  return sources.map((source) => ({ by, source }))
}

const addressOf = ({ section, place }: Pick<Source, 'section' | 'place'>) => `${section}, ${place}`

if (present) {
  describe('against the document', () => {
    let segments: Segment[] = []
    let byAddress = new Map<string, Segment>()
    beforeAll(() => {
      segments = segment(readFileSync(document, 'utf8'))
      byAddress = new Map(segments.map((each) => [addressOf(each), each]))
    })

    test('the document is cut into places that are all different', () => {
      expect(segments.length).toBeGreaterThan(0)
      expect(byAddress.size).toBe(segments.length)
    })

    test('every sentence and table row is cited, left open or excluded with a reason', () => {
      const cited = new Set(citations().map(({ source }) => addressOf(source)))
      expect(segments.map(addressOf).filter((address) => !cited.has(address))).toEqual([])
    })

    test('whatever the document leaves out is a gap', () => {
      const gaps = new Set([...loadGaps().values()].flatMap(({ sources }) => sources.map(addressOf)))
      const left = segments.filter(({ text }) => /not shown|not described/i.test(text)).map(addressOf)
      expect(left.length).toBeGreaterThan(10)
      expect(left.filter((address) => !gaps.has(address))).toEqual([])
    })

    test('every cited place exists and says what it said when it was cited', () => {
      const stale = citations().flatMap(({ by, source }) => {
        const found = byAddress.get(addressOf(source))
        if (found?.hash === source.hash) return []
        return [`${by}: ${addressOf(source)} ${found ? `is ${found.hash} now` : 'does not exist'}`]
      })
      expect(stale).toEqual([])
    })

    test('the project says nothing in the sentences of the document', () => {
      // An enumeration of names has no other wording.
      const prose = segments.filter(({ text }) => !/^\w+(, \w+)+\.$/.test(text))
      const copied = copiedFinder(prose)
      const found = projectTexts(['.ts', '.yaml', '.md', '.json', '.html']).flatMap(({ path, text }) => {
        const hit = copied(text)
        return hit === undefined ? [] : [`${path}: "${hit.run}" of ${hit.place}`]
      })
      expect(found).toEqual([])
    })
  })
} else {
  test('NOT PROVED: the document is not next to the project', () => {
    console.warn(
      'Traceability to the document was not run: there is no ../shared/interface.md next to the project.',
    )
    expect(present).toBe(false)
  })
}

describe('by itself', () => {
  test('one place is cited with one hash', () => {
    const hashes = new Map<string, Set<string>>()
    for (const { source } of citations()) {
      const known = hashes.get(addressOf(source)) ?? new Set()
      hashes.set(addressOf(source), known.add(source.hash))
    }
    expect([...hashes].filter(([, known]) => known.size > 1)).toEqual([])
  })

  test('nothing that is excluded is cited by a requirement', () => {
    const cited = new Set([...loadRequirements().values()].flatMap(({ sources }) => sources.map(addressOf)))
    expect(loadExclusions().filter(({ source }) => cited.has(addressOf(source)))).toEqual([])
  })

  test('every gap is filled by a requirement of the profile or says why by none', () => {
    const filled = new Set([...loadRequirements().values()].map(({ gap }) => gap))
    const open = [...loadGaps().values()].filter(
      ({ key, untested }) => !filled.has(key) && untested === undefined,
    )
    expect(open.map(({ key }) => key)).toEqual([])
  })

  test('every operation has a requirement', () => {
    const named = new Set([...loadRequirements().values()].flatMap((each) => each.operations))
    expect(operations().filter(({ id }) => !named.has(id))).toEqual([])
  })

  test('every table that a requirement needs is in spec/tables.yaml', () => {
    const roles = new Set(loadTables().map(({ role }) => `table:${role}`))
    const unknown = [...loadRequirements().values()].flatMap(({ id, needs }) =>
      needs.filter((need) => need.startsWith('table:') && !roles.has(need)).map((need) => `${id}: ${need}`),
    )
    expect(unknown).toEqual([])
  })

  test('a check that needs a batch needs to write: a read-only run says so of it', () => {
    const reading = [...loadRequirements().values()].filter(
      ({ needs }) => needs.includes('capability:batch') && !needs.includes('write'),
    )
    expect(reading.map(({ id }) => id)).toEqual([])
  })

  test('no two requirements make the same statement', () => {
    const statements = [...loadRequirements().values()].map(({ statement }) => statement)
    expect(statements.filter((each, at) => statements.indexOf(each) !== at)).toEqual([])
  })
})
