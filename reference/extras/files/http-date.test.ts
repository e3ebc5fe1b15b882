import { expect, test } from 'vitest'
import { parseHttpDate } from './http-date.ts'

const seconds = (iso: string) => Date.parse(iso) / 1000

test.each([
  ['Sun, 06 Nov 1994 08:49:37 GMT', '1994-11-06T08:49:37Z'],
  ['Sunday, 06-Nov-94 08:49:37 GMT', '1994-11-06T08:49:37Z'],
  ['Sun Nov  6 08:49:37 1994', '1994-11-06T08:49:37Z'],
  ['Sun Nov 16 08:49:37 1994', '1994-11-16T08:49:37Z'],
  ['Friday, 01-Jan-68 00:00:00 GMT', '2068-01-01T00:00:00Z'],
  ['Tue, 01 Jan 2035 00:00:00 GMT', '2035-01-01T00:00:00Z'],
])('%s', (text, iso) => {
  expect(parseHttpDate(text)).toBe(seconds(iso))
})

test.each([
  ...['', '0', 'yesterday', '2035-01-01', '2035-01-01T00:00:00Z', '01 Jan 2035 00:00:00 GMT'],
  ...['Mon, 01 Jan 2035 00:00:00 UTC', 'Mon, 1 Jan 2035 00:00:00 GMT', 'Mon, 01 Jan 35 00:00:00 GMT'],
  ...['Mon, 31 Feb 2035 00:00:00 GMT', 'Mon, 01 Jan 2035 24:00:00 GMT', 'Mon, 01 Jan 2035 00:00 GMT'],
])('"%s" is not an HTTP date', (text) => {
  expect(parseHttpDate(text)).toBeUndefined()
})
