import { expect, test } from 'vitest'
import { indexGaps, loadGaps, standardBinding } from './gaps.ts'

const gap = {
  key: 'list.paging',
  source: { section: '4.1', place: 'bullet 1', hash: '84fa884a' },
  question: 'Where does it start?',
  answer: 'At one.',
  why: 'Observed.',
}

test('a gap has a question, a decision and a reason', () => {
  expect(indexGaps({ gaps: [gap] }).get('list.paging')).toMatchObject({ answer: 'At one.', why: 'Observed.' })
})

test.each([
  ['a second gap of a key', [gap, gap], 'spec/gaps.yaml, list.paging: there are two gaps of this key.'],
  [
    'one binding in two gaps',
    [
      { ...gap, bindings: { prefix: '/a' } },
      { ...gap, key: 'b', bindings: { prefix: '/b' } },
    ],
    'spec/gaps.yaml, b: "prefix" is a binding of "list.paging" already.',
  ],
  ['no answer', [{ ...gap, answer: undefined }], 'spec/gaps.yaml, list.paging: "answer" is missing.'],
  ['no place', [{ ...gap, source: [] }], 'list.paging: "source" is missing'],
  ['a binding that is no text', [{ ...gap, bindings: { prefix: 1 } }], 'the binding "prefix" is 1'],
  ['an unknown key', [{ ...gap, binding: {} }], '"binding" is not a known key'],
])('%s is rejected with its place', (_, gaps, message) => {
  expect(() => indexGaps({ gaps })).toThrow(message)
})

test('the standard binding has every key that a gap binds', () => {
  const keys = [...loadGaps().values()].flatMap(({ bindings = {} }) => Object.keys(bindings))
  expect(Object.keys(standardBinding())).toEqual(keys)
  expect(standardBinding()).toMatchObject({
    prefix: '/api/v1',
    'list.page': 'page',
    'list.perPage': 'perPage',
    'oauth2.codeVerifier': 'codeVerifier',
  })
})
