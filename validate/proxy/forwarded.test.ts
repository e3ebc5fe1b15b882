import { expect, it } from 'vitest'
import { forwarded, targetPath } from './forwarded.ts'

it('passes headers on in their order and case, without those of the connection', () => {
  const raw = [
    'X-B',
    '1',
    'Keep-Alive',
    'timeout=5',
    'TE',
    'gzip',
    'X-Own',
    's',
    'Connection',
    'x-own',
    'x-a',
    '2',
  ]
  expect(forwarded([...raw, 'Proxy-Connection', 'close', 'Proxy-Authenticate', 'Basic'])).toEqual([
    ...['X-B', '1'],
    ...['x-a', '2'],
  ])
})

it.each([
  ...['Keep-Alive', 'Proxy-Connection', 'Proxy-Authenticate', 'Proxy-Authentication-Info'],
  ...['Proxy-Authorization', 'TE', 'Trailer', 'Upgrade', 'Connection'],
])('drops %s', (name) => {
  expect(forwarded([name, 'x', 'X-A', '1'])).toEqual(['X-A', '1'])
})

it.each(['Host', 'Content-Length', 'Transfer-Encoding'])('keeps %s, also if Connection lists it', (name) => {
  expect(forwarded(['Connection', name, name, '5'])).toEqual([name, '5'])
})

it('replaces the host only where another one is given', () => {
  expect(forwarded(['Host', 'here'])).toEqual(['Host', 'here'])
  expect(forwarded(['Host', 'here'], 'there')).toEqual(['Host', 'there'])
})

it.each([
  ['/a?b', '/a?b'],
  ['*', '*'],
  ['*a', '/*a'],
  ['a', '/a'],
  ['http://elsewhere?a', '/?a'],
  [undefined, '/'],
])('makes a path of the target %s', (target, path) => {
  expect(targetPath(target)).toBe(path)
})
