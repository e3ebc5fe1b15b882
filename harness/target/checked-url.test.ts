import { expect, it } from 'vitest'
import { checkedUrl, usualSpelling } from './checked-url.ts'

it('the base URL is the part before the prefix', () => {
  expect(checkedUrl('http://127.0.0.1:8090/', 'it')).toBe('http://127.0.0.1:8090')
  expect(checkedUrl('https://example.com/backend//', 'it')).toBe('https://example.com/backend')
})

it.each([
  ['127.0.0.1:8090', '"127.0.0.1:8090" is not an http or https URL'],
  ['ftp://h', '"ftp://h" is not an http or https URL'],
  ['http://u:secret@h', 'the base URL contains credentials'],
  ['http://h?key=secret', 'the base URL has a query or a fragment, which no request would have'],
  ['http://h/#secret', 'the base URL has a query or a fragment, which no request would have'],
  ['u:secret@h', 'the base URL is not an http or https URL'],
  ['http://u:secret@h:99999', 'the base URL is not an http or https URL'],
  ['http://u:secret/secret@h', 'the base URL is not an http or https URL'],
])('rejects %s without showing a secret', (text, fact) => {
  expect(() => checkedUrl(text, '--base-url')).toThrow(expect.objectContaining({ fact, place: '--base-url' }))
})

it.each([
  ['localhost:18091', 'did you mean http://localhost:18091?'],
  ['db.example.com:80/app', 'did you mean http://db.example.com:80/app?'],
  ['ftp://h', 'use the part before the prefix, such as http://127.0.0.1:8090'],
  [
    'http://u:secret@h',
    expect.stringContaining('If a gateway requires Basic authentication, use the address of'),
  ],
])('says what to use instead of %s', (text, next) => {
  expect(() => checkedUrl(text, '--base-url')).toThrow(expect.objectContaining({ next }))
})

it.each([
  ['http://0.0.0.0:8090', 'http://127.0.0.1:8090'],
  ['http://[::]:8090', 'http://127.0.0.1:8090'],
  ['http://localhost.:8090/path', 'http://127.0.0.1:8090'],
  ['https://[::ffff:127.0.0.1]', 'https://127.0.0.1'],
  ['http://192.0.2.1:8090', undefined],
  ['http://[::ffff:192.0.2.1]:8090', undefined],
  ['http://localhost.example.com', undefined],
])('the usual spelling of %s is %s', (address, usual) => {
  expect(usualSpelling(address)).toBe(usual)
})
