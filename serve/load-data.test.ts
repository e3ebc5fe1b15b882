import { expect, test } from 'vitest'
import { createReference } from '../reference/reference.ts'
import { asDataError } from './load-data.ts'

test('mistakes in a definition stand in one line, apart from each other', () => {
  const tables = [
    {
      name: 'posts',
      listRule: 'title = ',
      viewRule: 'nope = 1',
      fields: [{ name: 'title', type: 'text' as const }],
    },
  ]
  let message = ''
  try {
    createReference({ tables })
  } catch (error) {
    message = (asDataError(error, 'data.yaml') as Error).message
  }
  expect(message).toMatch(
    /The definition of table "posts" cannot be used\. Correct these places: listRule: .*; viewRule: \S/,
  )
  expect(message.split('\n')[0]).not.toMatch(/ {2}/)
})
