import { expect, it } from 'vitest'
import { jsonMistake } from './json-mistake.ts'

it.each([
  ['', 'line 1, column 1: expected a value, found its end'],
  ['nope', 'line 1, column 1: expected a value'],
  ['{"title": "a",}', 'line 1, column 15: expected a key in double quotes, found }'],
  ['{\n  "title": "a"\n  "done": true\n}', 'line 3, column 3: expected "," or "}"'],
  ["{'title': 1}", 'line 1, column 2: expected a key in double quotes or "}", found a single quote'],
  ['{title: 1}', 'line 1, column 2: expected a key in double quotes or "}"'],
  ['{"title" "a"}', 'line 1, column 10: expected ":"'],
  ['{"title": }', 'line 1, column 11: expected a value, found }'],
  ['{"title": "a', 'line 1, column 11: expected a complete string'],
  ['{"title": "a\nb"}', 'line 1, column 11: expected a complete string'],
  ['{"title": [1, 2}', 'line 1, column 16: expected "," or "]", found }'],
  ['{"title": [1, 2], "b": {}', 'line 1, column 26: expected "," or "}", found its end'],
  ['[[], {"a": [{}]}] x', 'line 1, column 19: expected nothing more'],
  ['{"a": 01}', 'line 1, column 8: expected "," or "}"'],
  ['{"a": NaN}', 'line 1, column 7: expected a value'],
  ['[1,]', 'line 1, column 4: expected a value, found ]'],
  ['\ufeff{}', 'line 1, column 1: expected a value, found a byte order mark'],
])('%j: %s', (text, mistake) => {
  expect(() => JSON.parse(text)).toThrow()
  expect(jsonMistake('The body', text)).toBe(`The body is not JSON: ${mistake}.`)
})

it('says what JSON allows and a double cannot hold', () => {
  expect(jsonMistake('The body', '{"a": [1e999, -0.5e-3, "\\u00e9", null]}')).toContain(
    'a number is too large',
  )
})

it('never quotes a string of the text', () => {
  expect(jsonMistake('The body', '{"password": "secret" "x"')).not.toContain('secret')
})
