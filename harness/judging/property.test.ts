/** What a property finds, reports and replays. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkBench, plain } from '../../test/support/check-bench.ts'
import type { CheckBody } from '../vocabulary/check.ts'
import { BlockedError, expectThat, UntestableError } from './expect.ts'

const bench = checkBench()
const { records, run, start } = bench

/**
 * Requests for one record: create, view before the clean-up, view before the delete (because its id is short), delete.
 */
const looked = 4

describe('a property', () => {
  const body: CheckBody = async ({ property, make, unique }) => {
    await property([fc.array(fc.integer({ min: 0, max: 100 }))], async (numbers) => {
      for (const number of numbers) await make(plain, { title: unique(`n${number}`) })
      expectThat(!numbers.some((number) => number >= 10), 'a number of ten or more', 'anything else')
    })
  }

  it('is shrunk to the fewest requests, and only those are reported', async () => {
    const { finding } = await run('a.must', body)
    expect(finding?.message).toMatch(/^a number of ten or more/)
    expect(finding?.replay?.example).toMatch(/^\[\[10\]\]/)
    expect(finding?.replay?.runs).toBeGreaterThan(0)
    expect(finding?.exchanges.map(({ request }) => request.body)).toEqual([
      expect.stringMatching(/^\{"title":"n10-\w+"\}$/),
    ])
    expect(records.size).toBe(0)
  })

  it('is reported completely, with the set-up that it needs, and without the examples of another property', async () => {
    const bodies = async (count: number) => {
      const { finding } = await run('a.must', async ({ property, make }) => {
        await make(plain, { title: 'before' })
        await property([fc.constant(0)], async (_) => void (await make(plain, { title: 'of another' })))
        await make(plain, { title: 'between' })
        await property([fc.constant(0)], async (_) => {
          for (let number = 0; number < count; number++) await make(plain, { title: `between-${number}` })
          expectThat(false, 'no', 'anything else')
        })
      })
      expect(finding?.curl.length).toBe(finding?.exchanges.length)
      const titles = finding?.exchanges.map(({ request }) => JSON.parse(request.body).title as string)
      return { titles, message: finding?.message }
    }
    const { titles, message } = await bodies(20)
    expect(titles).toEqual(['between', ...Array.from({ length: 20 }, (_, at) => `between-${at}`)])
    expect(message).not.toContain('omitted')
    const many = await bodies(210)
    expect(many.titles).toHaveLength(200)
    expect(many.titles?.at(-1)).toBe('between-209')
    expect(many.message).toContain('omitted: 11 earlier requests')
  })

  it('is a generated one, if a given one that cannot be shrunk fails too', async () => {
    const given: CheckBody = async ({ property, make, unique }) =>
      property(
        [fc.integer({ min: 0, max: 9 })],
        async (number) => {
          await make(plain, { title: unique(`n${number}`) })
          expectThat(number < 3, 'a number of three or more', 'anything else')
        },
        { runs: 20, examples: [[1], [50]] },
      )
    const { finding } = await run('a.must', given)
    expect(finding?.replay?.example).toBe('[3]')
    expect(finding?.replay?.runs).toBeGreaterThan(2)
    const again = await run('a.must', given, { path: finding?.replay?.path ?? '' })
    expect(again.finding?.replay).toMatchObject({ example: '[3]', path: finding?.replay?.path })
  })

  it.each([
    ['is blocked', new BlockedError('cannot say')],
    ['is untestable', new UntestableError('cannot say', 'next')],
  ])('is the given one, although a generated one %s', async (_name, error) => {
    const { finding } = await run('a.must', async ({ property, make }) =>
      property(
        [fc.integer({ min: 0, max: 9 })],
        async (number) => {
          await make(plain, { title: `n${number}` })
          expectThat(number !== 50, 'no', 'anything else')
          throw error
        },
        { runs: 20, examples: [[50]] },
      ),
    )
    expect(finding?.status).toBe('fail')
    expect(finding?.replay).toMatchObject({ example: '[50]', path: '0' })
  })

  it('is the given one, if no time is left to generate others', async () => {
    const { finding } = await run('a.must', async ({ property }) =>
      property(
        [fc.integer({ min: 0, max: 9 })],
        async (number) => {
          await new Promise((resolve) => setTimeout(resolve, 60))
          expectThat(number !== 50, 'no', 'anything else')
        },
        { runs: 20, examples: [[50]], timeLimit: 30 },
      ),
    )
    expect(finding?.replay).toMatchObject({ example: '[50]', path: '0' })
  })

  it('is the given one, if none that is generated fails', async () => {
    const { finding } = await run('a.must', async ({ property }) =>
      property(
        [fc.integer({ min: 0, max: 9 })],
        async (number) => expectThat(number < 10, 'no', 'anything else'),
        {
          runs: 5,
          examples: [[50]],
        },
      ),
    )
    expect(finding?.replay).toMatchObject({ example: '[50]', path: '0', runs: 1 })
  })

  it.each([UntestableError, BlockedError])(
    'is reported if a smaller example ends with %o',
    async (Unjudged) => {
      let hasFailed = false
      const { finding } = await run('a.must', async ({ property }) =>
        property([fc.integer({ min: 0, max: 9 })], async (number) => {
          if (number < 5 && hasFailed) throw new Unjudged('no email arrived')
          hasFailed ||= number >= 5
          expectThat(number < 5, 'five or more', 'anything else')
        }),
      )
      expect(finding).toMatchObject({ status: 'fail', message: expect.stringMatching(/^five or more/) })
    },
  )

  it('may be found by its first run', async () => {
    const { finding } = await run('a.must', async ({ property }) =>
      property([fc.constant(0)], async (_) => expectThat(false, 'no', 'anything else')),
    )
    expect(finding?.replay?.runs).toBe(1)
  })

  it('is replayed by its path alone', async () => {
    const { finding } = await run('a.must', body)
    const before = bench.session.count.requests
    const again = await run('a.must', body, { path: finding?.replay?.path ?? '' })
    expect(again.finding?.replay?.example).toMatch(/^\[\[10\]\]/)
    expect(bench.session.count.requests - before).toBe(looked)
    expect(finding?.replay?.command).toBe(
      `npx conformance --only a.must --seed 5 --path '${finding?.replay?.path}'`,
    )
  })

  const two: CheckBody = async ({ property, make, unique }) => {
    await property([fc.nat()], async (_number) => void (await make(plain, { title: unique('first') })))
    await property([fc.nat()], async (number) => {
      await make(plain, { title: unique('second') })
      expectThat(number < 10, 'a number of ten or more', 'anything else')
    })
  }

  it('is replayed without the others of its check', async () => {
    const { finding } = await run('a.must', two)
    expect(finding?.replay?.path).toMatch(/^1\//)
    const before = bench.session.count.requests
    const again = await run('a.must', two, { path: finding?.replay?.path ?? '' })
    expect(again.finding?.replay?.example).toMatch(/^\[10\]/)
    expect(bench.session.count.requests - before).toBe(looked)
  })

  it.each(['7/1:2', 'x', '1/2/3', '1/0:99:99'])(
    'is not replayed by the path %s: that is an error, not a pass',
    async (path) => {
      const { finding, error, end } = await run('a.must', two, { path })
      expect([finding, end]).toEqual([undefined, 'configuration'])
      expect(error?.message).toContain(`--path ${path}`)
    },
  )

  it('sends the same requests for the same seed', async () => {
    const urls = async () => {
      await start()
      const { finding } = await run('a.must', body)
      return [finding?.requests, finding?.replay]
    }
    expect(await urls()).toEqual(await urls())
  })
})
