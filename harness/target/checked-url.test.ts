import { expect, it } from 'vitest'
import { checkedUrl } from './checked-url.ts'

it('is the part before the prefix', () => {
  expect(checkedUrl('http://127.0.0.1:8090/')).toBe('http://127.0.0.1:8090')
  expect(checkedUrl('https://example.com/backend//?x=1#y')).toBe('https://example.com/backend')
})

it.each([
  ['127.0.0.1:8090', '"127.0.0.1:8090" is not an http or https URL'],
  ['ftp://h', '"ftp://h" is not an http or https URL'],
  ['http://u:secret@h', 'the base URL contains credentials'],
  ['u:secret@h', '"…@h" is not an http or https URL'],
  ['http://u:secret@h:99999', '"http://…@h:99999" is not an http or https URL'],
  ['http://u:secret/secret@h', '"http://…@h" is not an http or https URL'],
])('refuses %s without showing a secret', (text, fact) => {
  expect(() => checkedUrl(text)).toThrow(expect.objectContaining({ fact, place: '--base-url' }))
})
