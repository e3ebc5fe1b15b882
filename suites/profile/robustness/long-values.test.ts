import { expect, it } from 'vitest'
import { longValues } from './long-values.ts'

it('leaves room for the rest of a request line of eight kilobytes', () => {
  for (const value of longValues)
    expect(new URLSearchParams({ expand: value }).toString().length).toBeLessThan(7_500)
})
