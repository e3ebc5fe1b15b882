import { expect, it } from 'vitest'
import { requiredValues } from './required-values.ts'

it('replaces {unique} by a word of the run, and keeps everything else', () => {
  let count = 0
  const unique = (prefix?: string) => `${prefix}-run-${++count}`
  const values = { name: 'Text {unique}', code: '{unique}{unique}', size: 3, tags: ['{unique}'] }
  expect(requiredValues({ unique }, { role: 'plain', name: 'notes', values })).toEqual({
    name: 'Text word_run_1',
    code: 'word_run_2word_run_3',
    size: 3,
    tags: ['{unique}'],
  })
  expect(requiredValues({ unique }, { role: 'plain', name: 'notes' })).toEqual({})
})
