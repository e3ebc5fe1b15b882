import { expect, it } from 'vitest'
import { checkedUrl } from './checked-url.ts'

it('the base URL is the part before the prefix', () => {
  expect(checkedUrl('http://127.0.0.1:8090/', 'it')).toBe('http://127.0.0.1:8090')
  expect(checkedUrl('https://example.com/backend//?x=1#y', 'it')).toBe('https://example.com/backend')
})

it.each([
  ['127.0.0.1:8090', '"127.0.0.1:8090" is not an http or https URL'],
  ['ftp://h', '"ftp://h" is not an http or https URL'],
  ['http://u:secret@h', 'the base URL contains credentials'],
  ['u:secret@h', 'the base URL is not an http or https URL'],
  ['http://u:secret@h:99999', 'the base URL is not an http or https URL'],
  ['http://u:secret/secret@h', 'the base URL is not an http or https URL'],
])('rejects %s without showing a secret', (text, fact) => {
  expect(() => checkedUrl(text, '--base-url')).toThrow(expect.objectContaining({ fact, place: '--base-url' }))
})
