/** What ends a check without a word of its expectations: a mistake of ours, a server that does not answer. */

import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { checkBench, plain, timeout } from '../../test/support/check-bench.ts'
import type { CheckBody } from '../vocabulary/check.ts'
import { verdictOf } from './verdict.ts'

const bench = checkBench()
const { run, start } = bench

describe('exceptions that are no expectations', () => {
  it('are errors of the run, never findings', async () => {
    const { finding, error } = await run('a.must', async () => {
      throw new TypeError('ours')
    })
    expect(finding).toBeUndefined()
    expect(error).toMatchObject({ place: 'a.must', message: 'ours' })
  })

  it.each<[string, CheckBody]>([
    ['a query', async ({ api }) => void (await api.list(plain, { page: 'x' }))],
    ['a body', async ({ api }) => void (await api.authWithPassword(plain, {}))],
  ])('a request of ours against the description is one, and ends with 2: %s', async (_, body) => {
    const { finding, error } = await run('a.must', body)
    expect(finding).toBeUndefined()
    expect(error?.message).toMatch(/the suite's own \w+ request does not match the API description/)
    expect(bench.session.recorder.requests).toBe(0)
    const profile = { name: 'standard', claimed: true }
    const errors = error === undefined ? [] : [error]
    expect(verdictOf({ findings: [], errors, profile }).exitCode).toBe(2)
  })

  it('a server that lives and does not answer has broken the expectation', async () => {
    await start({ timeout })
    const { finding } = await run('a.must', async ({ api }) => {
      bench.hang = true
      await api.view(plain, 'x')
    })
    bench.hang = false
    expect(finding).toMatchObject({ status: 'fail', expected: 'a complete HTTP response' })
  })

  it('a server that is gone ends the run', async () => {
    const { error, end, finding } = await run('a.must', async ({ api }) => {
      bench.stop()
      await api.view(plain, 'x')
    })
    expect([finding, end]).toEqual([undefined, 'lost'])
    expect(error?.message).toMatch(/stopped responding/)
    expect(error?.lost).toBe(true)
  })

  it('is told with the request that got no answer, and with the command that sends it again', async () => {
    await start({ invocation: '--base-url http://h' })
    const { error } = await run('a.must', async ({ api, unique }) => {
      await api.create(plain, { title: unique('answered') })
      bench.hang = true
      setTimeout(() => bench.stop(), 100)
      await bench.session.api('superuser').create(plain, { title: 'deadly' })
    })
    expect(error).toMatchObject({
      place: 'a.must',
      lost: true,
      again: 'npx conformance --base-url http://h --only a.must --seed 5',
    })
    expect(error?.message).toMatch(/^the connection was closed .*: POST .*stopped responding$/)
    expect(error?.curl).toEqual([expect.stringMatching(/^curl .*-X POST .*"\$TOKEN_SUPERUSER".*deadly/)])
  })

  it('is told without the clean-up, which a target that hangs does not answer either', async () => {
    await start({ timeout })
    const { error } = await run('a.must', async ({ api, unique }) => {
      await api.create(plain, { title: unique('answered') })
      bench.gone = true
      await api.create(plain, { title: 'deadly' })
    })
    expect(error?.lost).toBe(true)
    expect(error?.curl).toEqual([expect.stringMatching(/^curl .*-X POST .*deadly/)])
  })

  it('is told with all that were under way: any of them may have ended it', async () => {
    const { error } = await run('a.must', async ({ api, make }) => {
      await make(plain)
      bench.hang = true
      setTimeout(() => bench.stop(), 100)
      await Promise.all(['one', 'two'].map((title) => api.create(plain, { title })))
    })
    expect(error?.curl?.map((line) => /one|two/.exec(line)?.[0]).sort()).toEqual(['one', 'two'])
  })

  it('is told with the request before, where the last one could not even be sent', async () => {
    const { error } = await run('a.must', async ({ api, unique }) => {
      await api.create(plain, { title: unique('answered') })
      bench.stop()
      // The client sees that its connection was closed.
      await sleep(50)
      await api.view(plain, 'never')
    })
    expect(error?.curl).toEqual([expect.stringContaining('answered'), expect.stringContaining('/never')])
    expect(error?.message).toMatch(/the previous request is also shown$/)
  })

  it('names the request also where the clean-up of the check is what misses it', async () => {
    const { error, end } = await run('a.must', async ({ api, unique }) => {
      await api.create(plain, { title: unique('answered') })
      bench.stop()
    })
    expect([end, error?.lost]).toEqual(['lost', true])
    expect(error?.curl?.at(-1)).toMatch(/records\/r0/)
  })
})
