/** What ends a check without a word of its expectations: a mistake of ours, a server that does not answer. */

import { describe, expect, it } from 'vitest'
import { checkBench, plain, timeout } from '../../test/support/check-bench.ts'
import type { CheckBody } from '../vocabulary/check.ts'
import { createValidator } from '../wire/validator.ts'
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
    await start({}, {}, createValidator())
    const { finding, error } = await run('a.must', body)
    expect(finding).toBeUndefined()
    expect(error?.message).toMatch(/the suite's own \w+ request does not follow the description/)
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
    expect(error?.message).toMatch(/does not answer any more/)
  })
})
