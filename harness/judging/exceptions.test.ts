/** What ends a check other than an expectation: a bug of ours, a server that does not respond. */

import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { checkBench, plain, timeout } from '../../test/support/check-bench.ts'
import type { CheckBody } from '../vocabulary/check.ts'
import { verdictOf } from './verdict.ts'

const bench = checkBench()
const { run, start } = bench

describe('exceptions other than expectations', () => {
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
  ])('a request of ours that violates the description is one, with exit code 2: %s', async (_, body) => {
    const { finding, error } = await run('a.must', body)
    expect(finding).toBeUndefined()
    expect(error?.message).toMatch(/the suite's own \w+ request does not match the API description/)
    expect(bench.session.count.requests).toBe(0)
    const errors = error === undefined ? [] : [error]
    expect(verdictOf({ findings: [], errors, claim: { profile: 'standard' } }).exitCode).toBe(2)
  })

  it('a running server that does not respond has violated the expectation', async () => {
    await start({ timeout })
    const { finding } = await run('a.must', async ({ api }) => {
      bench.hang = true
      await api.view(plain, 'x')
    })
    bench.hang = false
    expect(finding).toMatchObject({ status: 'fail', expected: 'a complete HTTP response' })
  })

  it('a lost server ends the run', async () => {
    const { error, end, finding } = await run('a.must', async ({ api }) => {
      bench.stop()
      await api.view(plain, 'x')
    })
    expect([finding, end]).toEqual([undefined, 'lost'])
    expect(error?.message).toMatch(/stopped responding/)
    expect(error?.lost).toBe(true)
  })

  it('is reported with the request that got no response, and with the command that sends it again', async () => {
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

  it('is reported without the clean-up, to which a hanging target does not respond either', async () => {
    await start({ timeout })
    const { error } = await run('a.must', async ({ api, unique }) => {
      await api.create(plain, { title: unique('answered') })
      bench.gone = true
      await api.create(plain, { title: 'deadly' })
    })
    expect(error?.lost).toBe(true)
    expect(error?.curl).toEqual([expect.stringMatching(/^curl .*-X POST .*deadly/)])
  })

  it('is reported with all requests in flight: any of them may have caused it', async () => {
    const { error } = await run('a.must', async ({ api, make }) => {
      await make(plain)
      bench.hang = true
      setTimeout(() => bench.stop(), 100)
      await Promise.all(['one', 'two'].map((title) => api.create(plain, { title })))
    })
    expect(error?.curl?.map((line) => /one|two/.exec(line)?.[0]).sort()).toEqual(['one', 'two'])
  })

  it('is reported with the previous request if the last one could not be sent', async () => {
    const { error } = await run('a.must', async ({ api, unique }) => {
      await api.create(plain, { title: unique('answered') })
      bench.stop()
      // The client notices that its connection was closed.
      await sleep(50)
      await api.view(plain, 'never')
    })
    expect(error?.curl).toEqual([expect.stringContaining('answered'), expect.stringContaining('/never')])
    expect(error?.message).toMatch(/the previous request is also shown$/)
  })

  it('names the request even if only the clean-up of the check notices the loss', async () => {
    const { error, end } = await run('a.must', async ({ api, unique }) => {
      await api.create(plain, { title: unique('answered') })
      bench.stop()
    })
    expect([end, error?.lost]).toEqual(['lost', true])
    expect(error?.curl?.at(-1)).toMatch(/records\/r0/)
  })
})
