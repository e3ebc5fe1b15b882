import { expect, test } from 'vitest'
import { segment } from '../../scripts/traceability/segment.ts'
import { findCopied } from './copied.ts'

const segments = segment('## 1. One\n\nThe quick brown fox jumps over the lazy dog at /a/b/c/d/e/f/g/h.\n')

test('finds eight words in a row, whatever their case and marks', () => {
  expect(findCopied('As said: "the Quick, brown fox\njumps over the lazy" cat.', segments)).toEqual({
    run: 'the quick brown fox jumps over the lazy',
    place: '1, paragraph 1',
  })
})

test('lets seven words and long paths pass', () => {
  expect(findCopied('The quick brown fox jumps over the hedge.', segments)).toBeUndefined()
  expect(findCopied('Ask /a/b/c/d/e/f/g/h for it.', segments)).toBeUndefined()
})
