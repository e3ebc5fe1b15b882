import { expect, it } from 'vitest'
import { headerOf } from './header-of.ts'

it.each<[string, unknown]>([
  ['Headers', new Headers({ Accept: 'x, y' })],
  ['an object', { Host: 'accept', ACCEPT: ['x', 'y'] }],
  ['pairs', [['Accept', 'x, y']]],
  ['names and values', [{ name: 'ACCEPT', value: 'x, y' }]],
  ['a flat list, in which a value is like the name', ['Host', 'accept', 'Accept', 'x, y']],
])('finds a header in %s', (_name, headers) => {
  expect(headerOf(headers, 'accept')).toBe('x, y')
  expect(headerOf(headers, 'accep')).toBeUndefined()
})
