import { expect, test } from 'vitest'
import { fc } from '../../test/support/seeded.ts'
import { lowerAscii } from './lower-ascii.ts'

test.each(['', 'abc', 'ABC', 'aÉB', 'ΑΒΓ', '\u{1f418}A', `İ${'X'.repeat(300)}É\u{1f418}Z`])('%j', (text) => {
  expect(lowerAscii(text)).toBe(text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()))
})

test('changes the letters A to Z and nothing else, however long the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.boolean(), (text, long) => {
      const whole = long ? text.repeat(100) : text
      expect(lowerAscii(whole)).toBe(whole.replace(/[A-Z]/g, (letter) => letter.toLowerCase()))
    }),
  )
})
