import { expect, it } from 'vitest'
import { asHeaderValue, isHeaderValue } from './header-value.ts'

it('percent-encodes exactly what a header cannot carry', () => {
  expect(asHeaderValue('a b\t~ ÿ')).toBe('a b\t~ ÿ')
  expect(asHeaderValue('a\r\nb')).toBe('a%0D%0Ab')
  expect(asHeaderValue('→😀')).toBe('%E2%86%92%F0%9F%98%80')
  expect(isHeaderValue(asHeaderValue('\u0000\ud800\u0085'))).toBe(true)
})
