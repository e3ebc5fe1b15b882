/* global expect, test */
import { createReference } from 'record-auth-conformance/reference'

const reference = createReference({
  tables: [
    { name: 'posts', listRule: '', fields: [{ name: 'title', type: 'text', required: true, max: 40 }] },
  ],
  seed: 1,
})

test('lists made-up posts in pages, whatever Jest does to the timers', async () => {
  import.meta.jest.useFakeTimers()
  const posts = await reference.make('posts', 25)
  const response = await reference.fetch('/api/v1/collections/posts/records?perPage=10&page=3')
  const page = await response.json()
  expect(page).toMatchObject({ page: 3, totalItems: 25, totalPages: 3 })
  expect(page.items.map(({ id }) => id)).toEqual(posts.slice(20).map(({ id }) => id))
})

test('goes back to the beginning', () => {
  reference.reset()
  expect(reference.records.count('posts')).toBe(0)
})
