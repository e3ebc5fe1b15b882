import { expect, it } from 'vitest'
import { uniqueNames } from './scopes.ts'

it('makes strings that differ by namespace, check and call', () => {
  const names = ['n1', 'n2'].flatMap((namespace) =>
    ['list.a', 'list.b'].flatMap((check) => {
      const unique = uniqueNames(namespace, check)
      return Array.from({ length: 100 }, () => unique('t'))
    }),
  )
  expect(new Set(names).size).toBe(names.length)
  expect(names[0]).toBe(uniqueNames('n1', 'list.a')('t'))
})
