import { describe, expect, it } from 'vitest'
import { openApiDocument } from '../../../spec/openapi.ts'
import { linksOf } from './links.ts'
import { accountStarts, recordStarts } from './starts.ts'
import { covering, firstFactorIn, walksOf } from './walks.ts'

const links = linksOf(openApiDocument())
const starts = [...recordStarts, ...accountStarts]
const keysOf = (all: typeof links) =>
  new Set(all.map(({ from, status, name }) => [from, status[0], name].join()))

describe('walks', () => {
  it('follow every link of the description', () => {
    const walks = walksOf(links, starts, 4)
    expect(keysOf(walks.flatMap((walk) => [...walk.links]))).toEqual(keysOf(links))
    expect(new Set(walks.map(({ title }) => title)).size).toBe(walks.length)
  })

  it('begin where they say, and go on where the link before ends', () => {
    for (const { start, links: way } of walksOf(links, starts, 4))
      expect(way.map(({ from }) => from)).toEqual([start.operation, ...way.slice(0, -1).map(({ to }) => to)])
  })

  it('give the first of two factors once', () => {
    const start = { operation: 'authWithPassword', role: 'mfa', factors: true } as const
    const titles = walksOf(links, [start], 2).map(({ title }) => title)
    expect(titles).toContain('authWithPassword of mfa, secondFactorByCode (authWithOtp)')
    expect(titles).toContain(
      'authWithPassword of mfa, secondFactorByCode (authWithOtp), refreshSession (authRefresh)',
    )
    expect(titles.filter((title) => title.split('secondFactor').length > 2)).toEqual([])
  })

  it('know which request gives the first of two factors, even if it is the last', () => {
    const start = { operation: 'requestOtp', role: 'mfa', factors: true } as const
    const positions = walksOf(links, [start], 2).map((walk) => [walk.title, firstFactorIn(walk)])
    expect(positions).toContainEqual(['requestOtp of mfa, signInWithCode (authWithOtp)', 1])
    const [first] = walksOf(links, [{ ...start, role: 'members', factors: false }], 1)
    expect(first && firstFactorIn(first)).toBe(-1)
  })

  it('that cover the links are few', () => {
    const walks = walksOf(links, starts, 4)
    const few = covering(walks)
    expect(keysOf(few.flatMap((walk) => [...walk.links]))).toEqual(keysOf(links))
    expect(few.length).toBeLessThan(20)
  })
})
