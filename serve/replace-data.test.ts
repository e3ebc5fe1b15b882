/** Loading many records, and what other requests see meanwhile. */

import { describe, expect, it } from 'vitest'
import { turn } from '../reference/environment/timers.ts'
import { createReference } from '../reference/reference.ts'
import { startControlled } from '../test/support/controlled-server.ts'
import { addRecords, addServedTables, currentState, replaceData, storedRecords } from './replace-data.ts'
import type { Serving } from './serving.ts'

/** They take far longer than a slice. */
const many = 5000
const rows = (count: number) => Array.from({ length: count }, (_, at) => ({ title: `Post ${at}` }))

async function countOfPosts({ reference, prefix }: Serving): Promise<unknown> {
  const response = await reference.fetch(`${prefix}/collections/posts/records?perPage=1`)
  return ((await response.json()) as { totalItems?: unknown }).totalItems
}

/** What other requests see, one after the other, until the work has ended. */
async function seenDuring(serving: Serving, work: () => Promise<unknown>): Promise<unknown[]> {
  const seen: unknown[] = []
  let ended = false
  const working = work().finally(() => {
    ended = true
  })
  for (;;) {
    await turn()
    if (ended) break
    seen.push(await countOfPosts(serving))
  }
  await working
  return seen
}

async function providersOf({ reference, prefix }: Serving, table: string): Promise<string[]> {
  const response = await reference.fetch(`${prefix}/collections/${table}/auth-methods`)
  const { oauth2 } = (await response.json()) as { oauth2: { providers: { name: string }[] } }
  return oauth2.providers.map(({ name }) => name)
}

const tables = [{ name: 'posts', listRule: '', fields: [{ name: 'title', type: 'text' }] }] as const

function stateOfMany() {
  return createReference({ tables, records: { posts: rows(many) } }).exportState()
}

describe('while many records are loaded, others are served, and see all of them or none', () => {
  it.each<[string, number, () => Promise<(serving: Serving) => Promise<unknown>>]>([
    ['plain rows', many, async () => (serving) => replaceData(serving, { posts: rows(many) })],
    [
      'a whole state',
      many,
      async () => {
        const state = await stateOfMany()
        return (serving) => replaceData(serving, state)
      },
    ],
    ['added records', many + 1, async () => (serving) => addRecords(serving, { posts: rows(many) })],
  ])('%s', async (_, after, prepare) => {
    const load = await prepare()
    const { started } = await startControlled()
    const seen = await seenDuring(started, () => load(started))
    expect(seen).toContain(1)
    expect(seen.filter((count) => count !== 1 && count !== after)).toEqual([])
    expect(await countOfPosts(started)).toBe(after)
  })

  it('none if the last one is invalid', async () => {
    const { started } = await startControlled()
    const seen = await seenDuring(started, async () => {
      const load = replaceData(started, { tables, records: { posts: [...rows(many), { id: 'a b' }] } })
      await expect(load).rejects.toThrow(`Record posts[${many}] does not fit its table`)
    })
    expect(new Set(seen)).toEqual(new Set([1]))
    expect(await countOfPosts(started)).toBe(1)
  })
})

it('serves others while all records are exported', async () => {
  const { started } = await startControlled()
  // A fast machine exports 20,000 records in less than one slice.
  await replaceData(started, { posts: rows(20 * many) })
  expect((await seenDuring(started, () => currentState(started))).length).toBeGreaterThan(1)
})

it('serves what was sent last, also behind data that is invalid', async () => {
  const { started } = await startControlled()
  const first = replaceData(started, { posts: rows(many) })
  await turn()
  const wrong = expect(replaceData(started, { posts: [{ id: 'x y' }] })).rejects.toThrow('use only')
  await turn()
  await replaceData(started, { posts: rows(2) })
  await Promise.all([first, wrong])
  expect(await countOfPosts(started)).toBe(2)
})

it('loses nothing without a word: what other data overtakes is rejected', async () => {
  const { started } = await startControlled()
  const adding = addRecords(started, { posts: rows(many) })
  const rejected = expect(adding).rejects.toThrow('it wrote nothing')
  await turn()
  const { reference, prefix } = started
  const writing = reference.fetch(`${prefix}/collections/posts/records`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"title":"late"}',
  })
  await replaceData(started, { tables, records: { posts: rows(2) } })
  await rejected
  expect((await writing).status).toBe(400)
  expect(await countOfPosts(started)).toBe(2)
})

it('says what a reset ends, and draws no ids after it', async () => {
  const first = async (disturbed: boolean) => {
    const { started } = await startControlled()
    if (disturbed) {
      const rejected = expect(addRecords(started, { posts: rows(many) })).rejects.toThrow('was restored')
      await turn()
      started.reset()
      await rejected
    } else started.reset()
    const { records } = await addRecords(started, { posts: rows(1) })
    return records.posts?.[0]?.id
  }
  expect(await first(true)).toBe(await first(false))
})

it('serves what was sent last, however long it takes to load', async () => {
  const { started } = await startControlled()
  await Promise.all([
    replaceData(started, { posts: rows(many) }),
    replaceData(started, { posts: rows(2) }),
    expect(replaceData(started, { posts: 5 })).rejects.toThrow('"posts" must be an array of rows'),
  ])
  expect(await countOfPosts(started)).toBe(2)
})

it('shows no value of a password field, whatever its name', async () => {
  const { started } = await startControlled()
  await addServedTables(started, [{ name: 'safes', fields: [{ name: 'pin', type: 'password' }] }])
  const { records } = await addRecords(started, { safes: [{ id: 'safe00000000001', pin: 'secret1234' }] })
  const [stored] = storedRecords(started, 'safes')
  for (const shown of [records.safes?.[0], stored]) {
    expect(shown).toMatchObject({ id: 'safe00000000001' })
    expect(shown).not.toHaveProperty('pin')
  }
})

it('adds sign-in tables with the providers that the data pretends', async () => {
  const { started } = await startControlled()
  await replaceData(started, { tables: [], settings: { oauth2: { pretend: ['google'] } } })
  await addServedTables(started, [{ name: 'staff', type: 'auth', fields: [] }])
  expect(await providersOf(started, 'staff')).toEqual(['google'])
})

it('reports each request once to those who follow the log, also after tables were added', async () => {
  const { started } = await startControlled()
  const followed: (string | undefined)[] = []
  started.exchanges.follow(({ operation }) => followed.push(operation))
  await addServedTables(started, [{ name: 'tags', fields: [] }])
  await countOfPosts(started)
  await started.settled()
  expect(followed).toEqual(['listRecords'])
})

it('pretends the providers of a whole state as its settings say', async () => {
  const { started } = await startControlled()
  const state = await createReference({ tables: [{ name: 'staff', type: 'auth', fields: [] }] }).exportState()
  await replaceData(started, { ...state, settings: { oauth2: { pretend: ['google'] } } })
  expect(await providersOf(started, 'staff')).toEqual(['google'])
})
