import { expect, it } from 'vitest'
import { headerText, isHeaderValue } from './header-value.ts'

it('percent-encodes exactly what a header cannot carry', () => {
  expect(headerText('a b\t~ ÿ')).toBe('a b\t~ ÿ')
  expect(headerText('a\r\nb')).toBe('a%0D%0Ab')
  expect(headerText('→😀')).toBe('%E2%86%92%F0%9F%98%80')
  expect(isHeaderValue(headerText('\u0000\ud800\u0085'))).toBe(true)
})
