import { expect, test } from 'vitest'
import { normalize, segment, sentenceHash } from './segment.ts'

const markdown = `# A title

Preface one. And two:

## 1. First

- Alpha is
  continued. Beta follows.
- *Gamma* has \`code\`.

### 1.1 Table

| Name | Note |
|---|---|
| x | First. And more |
| y | Second |

| Method | Path |
|---|---|
| GET | /api/v1/collections/{table}/records |

## 2. Second

1. Item (see 1.1).
2. Owner:
   - part one;
   - part two.
`

test('cuts sentences, list items and table rows, and leaves out headings and column names', () => {
  expect(segment(markdown).map(({ section, place, text }) => [section, place, text])).toEqual([
    ['0', 'paragraph 1 sentence 1', 'Preface one.'],
    ['0', 'paragraph 1 sentence 2', 'And two:'],
    ['1', 'bullet 1 sentence 1', 'Alpha is continued.'],
    ['1', 'bullet 1 sentence 2', 'Beta follows.'],
    ['1', 'bullet 2', 'Gamma has code.'],
    ['1.1', 'row x', 'x | First. And more'],
    ['1.1', 'row y', 'y | Second'],
    ['1.1', 'row GET records', 'GET | /api/v1/collections/{table}/records'],
    ['2', 'item 1', 'Item (see 1.1).'],
    ['2', 'item 2', 'Owner:'],
    ['2', 'item 2 bullet 1', 'part one;'],
    ['2', 'item 2 bullet 2', 'part two.'],
  ])
})

test('gives every segment a place of its own', () => {
  const places = segment(markdown).map(({ section, place }) => `${section} ${place}`)
  expect(new Set(places).size).toBe(places.length)
})

test('hashes what is said, not how it is set', () => {
  const [plain] = segment('A claim with code.\n')
  const [broken] = segment('A **claim**\n  with `code`.\n')
  expect(broken?.hash).toBe(plain?.hash)
  expect(plain?.hash).toBe(sentenceHash(normalize('A claim   with code.')))
  expect(plain?.hash).toMatch(/^[0-9a-f]{8}$/)
})

test('changes the hash when a single word changes', () => {
  const [before] = segment('It must.\n')
  const [after] = segment('It may.\n')
  expect(after?.hash).not.toBe(before?.hash)
})
