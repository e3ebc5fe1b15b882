import { expect, it } from 'vitest'
import { plainestFirst } from './plainest-first.ts'

it('prefers a fault that says in few words what the requirement is about, and breaks little else', () => {
  const names = plainestFirst(
    [
      { name: 'a missing record is found', trips: ['delete.removes', 'view.missing', 'update.missing'] },
      { name: 'delete deletes nothing', trips: ['delete.removes', 'delete.status', 'batch.deletes'] },
      { name: 'everything is a list', trips: Array.from({ length: 9 }, (_, at) => `a.b${at}`) },
    ],
    'A view MUST NOT find a deleted record.',
  ).map(({ name }) => name)
  expect(names).toEqual(['delete deletes nothing', 'a missing record is found', 'everything is a list'])
})
