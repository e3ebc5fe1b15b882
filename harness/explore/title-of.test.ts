import { expect, it } from 'vitest'
import { titleOf } from './title-of.ts'

it.each([
  ['a field that holds words that look like an id', { title: 'release-notes-2024', body: '' }, 'title'],
  ['a field that is not empty', { title: '', lead: 'Some words' }, 'lead'],
  ['the more usual of two empty fields', { body: '', title: '' }, 'title'],
  ['none that holds ids', { name: '5d3b0f0a-1111-4222-8333-444455556666', lead: 'words' }, 'lead'],
  ['none of an unusual name with what may be an id', { reference: 'abcdefgh1234567', lead: 'words' }, 'lead'],
])('a title is %s', (_, row, field) => {
  expect(titleOf([row])?.field).toBe(field)
})
