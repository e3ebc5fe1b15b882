import { describe, expect, it } from 'vitest'
import { fc } from '../../test/support/seeded.ts'
import { compileGenerator } from './compile-generator.ts'

const patterns = [
  '[a-z0-9]{15}',
  '[a-zA-Z0-9]{50}',
  '^id-[0-9]{3,5}$',
  'a+b*c?',
  '(foo|bar){2}',
  '(?:x|y)\\d\\w',
  '[^a-z]{3}',
  '[\\d_-]{4}',
  'a\\.b',
  '.{2,}',
  '',
]

describe('compileGenerator', () => {
  it.each(patterns)('makes what %j matches', (pattern) => {
    const generate = compileGenerator(pattern)
    const whole = new RegExp(`^(?:${pattern})$`)
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat(100_000)), (chance) => {
        const random = (alphabet: string, length: number) =>
          Array.from({ length }, () => alphabet[Number(chance.next().value) % alphabet.length]).join('')
        expect(generate({ random })).toMatch(whole)
      }),
    )
  })

  it.each(['[', '(', 'a)', '*a', '(?=a)', '\\1', 'a{3,1}', '[z-a]', '[]'])('rejects %j', (pattern) => {
    expect(() => compileGenerator(pattern)).toThrow('Cannot generate from the pattern')
  })
})
