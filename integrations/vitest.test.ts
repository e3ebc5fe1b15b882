import { describe, expect } from 'vitest'
import { forumTables } from '../test/reference-use/forum-tables.ts'
import { withReference } from './vitest.ts'

let prepared = 0
const test = withReference({ tables: forumTables, seed: 3 }, async (reference) => {
  prepared += 1
  await reference.make('members', 2)
})

describe.concurrent('every test has its own fork', () => {
  test.for(Array.from({ length: 50 }, (_, at) => at))('test %i', async (at, { reference }) => {
    const [author] = await reference.records.list('members')
    for (let turn = 0; turn < 3; turn++) {
      await reference.make('posts', at + 1, { author, title: `of ${at}` })
      await new Promise((resolve) => setTimeout(resolve, at % 7))
    }
    const titles = new Set((await reference.records.list('posts')).map(({ title }) => title))
    const response = await reference.fetch('/api/v1/collections/posts/records?perPage=1')
    expect([...titles]).toEqual([`of ${at}`])
    expect(await response.json()).toMatchObject({ totalItems: 3 * (at + 1) })
    expect([reference.records.count('members'), reference.requests.length, prepared]).toEqual([2, 1, 1])
  })
})
