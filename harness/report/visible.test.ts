import { expect, it } from 'vitest'
import { visible, visibleIn } from './visible.ts'

it('shows what would steer a terminal or turn a line around', () => {
  expect(visible('a\u001b]0;x\u0007\u009b\u007f\u202e\u2066\nb — ü 漢')).toBe(
    'a\\x1b]0;x\\x07\\x9b\\x7f\\u202e\\u2066\nb — ü 漢',
  )
})

it('does so for every text in a value, and leaves the rest', () => {
  expect(visibleIn({ a: ['\u0007', 1, null], b: { c: '\u0007', d: undefined } })).toEqual({
    a: ['\\x07', 1, null],
    b: { c: '\\x07', d: undefined },
  })
})
