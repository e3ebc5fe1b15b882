import { describe, expect, it } from 'vitest'
import { fc } from '../test/support/seeded.ts'
import { formatPath, parsePath } from './judging/replay-path.ts'
import { hashOf, idCharacters, propertySeed, uniqueNames } from './seed.ts'

describe('seeds', () => {
  it('are frozen: replay commands of earlier versions depend on them', () => {
    expect([
      hashOf('list.shape', 1),
      propertySeed(7, 'list.shape', 0),
      idCharacters(6, 'a', 'b'),
    ]).toMatchInlineSnapshot(`
      [
        2980903510,
        -673817546,
        "zr4vl5",
      ]
    `)
  })

  it('make names that differ by namespace, check and call', () => {
    const names = ['n1', 'n2'].flatMap((namespace) =>
      ['list.a', 'list.b'].flatMap((check) => {
        const unique = uniqueNames(namespace, check)
        return Array.from({ length: 100 }, () => unique('t'))
      }),
    )
    expect(new Set(names).size).toBe(names.length)
    expect(names[0]).toBe(uniqueNames('n1', 'list.a')('t'))
  })
})

describe('the path of a replay', () => {
  it('is read back as it was written', () => {
    const path = fc.array(fc.nat({ max: 999 }), { minLength: 1 }).map((parts) => parts.join(':'))
    const commands = fc.option(fc.stringMatching(/^[A-Za-z0-9+/:]+$/), { nil: undefined })
    fc.assert(
      fc.property(fc.nat({ max: 9 }), path, commands, (property, text, replay) => {
        const written = { property, path: text, commands: replay }
        expect(parsePath(formatPath(written))).toEqual(written)
      }),
    )
  })
})
