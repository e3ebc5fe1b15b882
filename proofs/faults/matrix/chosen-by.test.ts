import { expect, it } from 'vitest'
import { chosenBy } from './chosen-by.ts'

const all = ['page 1', 'page 2', 'sort', 'filter']
const named = (...texts: string[]) =>
  chosenBy(texts, all, (text) => all.filter((each) => each.includes(text)), 'No row is called')

it('is what one of the strings names, once and in the order of all', () => {
  expect(named('sort', 'page', '1')).toEqual(['page 1', 'page 2', 'sort'])
})

it('is all without a string', () => {
  expect(named()).toEqual(all)
})

it('reports a string that names nothing, next to one that names something', () => {
  expect(() => named('page', 'pgae')).toThrow(
    'No row is called anything like "pgae". Without a string, all of them run.',
  )
})
