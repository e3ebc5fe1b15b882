/** What a check leaves behind: nothing, or reported leftovers. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkBench, plain, timeout } from '../../test/support/check-bench.ts'
import { cleanEnd } from '../cleanup/clean-end.ts'

const bench = checkBench()
const { records, run, start } = bench

describe('what is created', () => {
  it('is deleted if only the request contained its id', async () => {
    await run(
      'a.must',
      async ({ api }) => void (await api.create(plain, { id: 'mine-and-only-mine' }, { fields: 'title' })),
    )
    expect(records.size).toBe(0)
    expect(bench.session.cleanup.leftovers.all).toEqual([])
  })

  it('is a leftover if nothing contained its id', async () => {
    await run(
      'a.must',
      async ({ api }) => void (await api.create(plain, { title: 'x' }, { fields: 'title' })),
    )
    expect(records.size).toBe(1)
    await cleanEnd(bench.session)
    expect(bench.session.cleanup.leftovers.all).toMatchObject([{ table: 'plain', id: 'unknown' }])
  })
})

describe('a create without a response', () => {
  const entry = (body: Record<string, unknown>) => ({
    method: 'POST',
    url: '/api/v1/collections/plain/records',
    body,
  })

  it('is deleted if the request contained the id', async () => {
    bench.mute = true
    const { finding } = await run(
      'a.must',
      async ({ api }) => void (await api.create(plain, { id: 'mine-and-only-mine', title: 'x' })),
    )
    expect(finding?.status).toBe('fail')
    expect(records.size).toBe(0)
    expect(bench.session.cleanup.leftovers.all).toEqual([])
  })

  it('is a leftover if it did not, once per attempt', async () => {
    bench.mute = true
    await run('a.must', async ({ api }) => void (await api.create(plain, { title: 'x' })))
    await cleanEnd(bench.session)
    // The check is run three times to determine that the server drops the request.
    const left = {
      table: 'plain',
      id: 'unknown',
      reason: 'its create got no response: it may exist',
    }
    expect(bench.session.cleanup.leftovers.all).toEqual([left, left, left])
  })

  it('is not a leftover if a superuser’s list shows nothing new', async () => {
    bench.mute = true
    // The test bench ignores batches.
    const batch = [entry({ title: 'x' }), entry({ id: 'y' }), entry({})]
    await run('a.must', async ({ api }) => void (await api.batch(batch)))
    await cleanEnd(bench.session)
    expect(bench.session.cleanup.leftovers.all).toEqual([])
  })

  it('is not a leftover if the request never reached the server', async () => {
    bench.stop()
    await run('a.must', async ({ api }) => void (await api.create(plain, { title: 'x' })))
    expect(bench.session.cleanup.leftovers.all).toEqual([])
  })
})

describe('what cannot be deleted', () => {
  it('is reported without the secrets in the server’s error response', async () => {
    bench.refuseDeletes = true
    await run('a.must', async ({ make }) => void (await make(plain)))
    const [leftover] = bench.session.cleanup.leftovers.all
    expect(leftover?.reason).toContain('409')
    expect(leftover?.reason).not.toContain('the-token-of-the-superuser')
  })

  it('is not requested one by one if the target is lost', async () => {
    await start({ timeout })
    await run('a.must', async ({ make }) => {
      for (let count = 0; count < 3; count++) await make(plain)
      bench.gone = true
    })
    await cleanEnd(bench.session)
    expect(bench.session.cleanup.leftovers.all).toHaveLength(3)
    // Three creates, the requests before the first, the concurrent attempts to view them, and the probes.
    expect(bench.session.count.requests).toBeLessThanOrEqual(15)
  })
})

describe('a stopped check', () => {
  it('leaves nothing behind', async () => {
    const stop = new AbortController()
    const outcome = await run(
      'a.must',
      async ({ property, make }) => {
        await property([fc.nat()], async (_number) => {
          stop.abort()
          await make(plain)
        })
      },
      { signal: stop.signal },
    )
    expect(outcome).toEqual({ end: 'stopped' })
    expect(records.size).toBe(0)
  })

  it('has no unawaited branch that creates something during the clean-up', async () => {
    const stop = new AbortController()
    let branch: Promise<unknown> = Promise.resolve()
    await run(
      'a.must',
      async ({ api, make }) => {
        for (let count = 0; count < 20; count++) await make(plain)
        stop.abort()
        branch = (async () => {
          for (let count = 0; count < 1_000; count++)
            await api
              .create(plain, { title: 'late' })
              .catch(() => new Promise((later) => setTimeout(later, 1)))
        })()
        await make(plain)
      },
      { signal: stop.signal },
    )
    await bench.session.cleanup.cleanKept()
    await branch
    expect(records.size).toBe(0)
  })
})
