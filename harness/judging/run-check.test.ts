/** From a check to a finding. */

import { describe, expect, it } from 'vitest'
import { checkBench, plain } from '../../test/support/check-bench.ts'
import type { CheckBody } from '../vocabulary/check.ts'
import type { Target } from '../vocabulary/target.ts'
import { startChecking } from './checking.ts'
import { BlockedError, expectEqual, expectThat } from './expect.ts'

const bench = checkBench()
const { records, run, start } = bench

describe('a check that holds', () => {
  it('passes, and its records are deleted', async () => {
    const { finding } = await run('a.must', async ({ make }) => {
      await make(plain)
      expect(records.size).toBe(1)
    })
    expect(finding).toMatchObject({ status: 'pass', message: '', source: '2.1', exchanges: [], requests: 1 })
    expect(records.size).toBe(0)
    expect(bench.session.cleanup.leftovers.all).toEqual([])
  })

  it('is only observed if it depends on a profile that is not claimed', async () => {
    await start({}, { profile: undefined } as Partial<Target>)
    expect((await run('a.profile', async () => {})).finding?.status).toBe('observed')
  })
})

it.each([
  [undefined, /add|"staff": false/],
  [['staff'], /^map a table .*, or leave out the check: --skip a\.must$/],
])('says how to go on without a table, where %j are declared absent', async (absentTables, hint) => {
  await start({}, { absentTables })
  const { finding } = await run('a.must', async ({ table }) => void table('staff'))
  expect(finding).toMatchObject({ status: 'untestable', hint: expect.stringMatching(hint) })
})

describe('an expectation that does not hold', () => {
  const body: CheckBody = async ({ api }) => {
    const response = await api.as('superuser').create(plain, { title: 'x', password: 'hunter2hunter2' })
    expectEqual(response.text, 'nothing', 'the answer')
  }

  it.each([
    ['a.must', 'fail'],
    ['a.should', 'warn'],
    ['a.profile', 'fail'],
  ])(
    'makes %s %s, with everything needed to reproduce it, what the suite made up too, and no secret',
    async (id, status) => {
      const { finding } = await run(id, body)
      expect(finding).toMatchObject({
        status,
        message: 'unexpected value for the answer',
        replay: { seed: 5 },
      })
      expect(finding?.curl[0]).toContain('-X POST')
      expect(finding?.curl[0]).toContain('"$TOKEN_SUPERUSER"')
      expect(finding?.curl[0]).toContain('"password":"hunter2hunter2"')
      expect(JSON.stringify(finding)).not.toContain('the-token-of')
    },
  )

  it('keeps an expected value under the name of a secret, and redacts a received one that is known', async () => {
    const { finding } = await run('a.must', async ({ api }) => {
      await api.withToken('opaque-token-1').list(plain)
      const codes = { otpId: 'validation_required', password: 'validation_required' }
      expectEqual({ token: 'opaque-token-1' }, codes, 'the codes')
    })
    expect(finding?.expected).toBe('{"otpId":"validation_required","password":"validation_required"}')
    expect(finding?.received).not.toContain('opaque-token-1')
  })

  it('reports the last requests, and how many came before', async () => {
    const sent = async (count: number) => {
      const { finding } = await run('a.must', async ({ make }) => {
        for (let number = 0; number < count; number++) await make(plain, { title: `n${number}` })
        expectThat(false, 'no', 'anything else')
      })
      return [finding?.message, finding?.exchanges.length]
    }
    expect(await sent(40)).toEqual(['no', 40])
    expect(await sent(43)).toEqual(['no (omitted: 3 earlier requests)', 40])
  })

  it('reports the earlier requests that created what the last ones name', async () => {
    const { finding } = await run('a.must', async ({ api, make }) => {
      const early = await make(plain, { title: 'early' })
      for (let number = 0; number < 45; number++) await make(plain, { title: `n${number}` })
      await api.view(plain, early.id)
      expectThat(false, 'no', 'anything else')
    })
    expect(finding?.message).toBe('no (omitted: 6 earlier requests)')
    expect(finding?.curl.length).toBe(41)
    expect(finding?.curl[0]).toMatch(/^ID=.*"early/)
    expect(finding?.curl.at(-1)).toContain('"$ID"')
  })

  it('blocks what depends on it', async () => {
    const checking = startChecking(bench.session)
    await checking.step({ id: 'a.must', body })
    const { finding } = await checking.step({ id: 'a.after', body: async () => {} })
    expect(finding).toMatchObject({ status: 'blocked', message: 'it depends on a.must, which did not pass' })
  })
})

describe('a finding', () => {
  it('says how to repeat it on the same target', async () => {
    await start({ invocation: '--base-url http://h' })
    const { finding } = await run('a.must', async () => expectThat(false, 'no', 'anything else'))
    expect(finding?.replay?.command).toBe('npx conformance --base-url http://h --only a.must --seed 5')
  })
})

describe('what cannot be judged', () => {
  it.each([
    ['needs.table', 'untestable'],
    ['needs.actor', 'untestable'],
    ['needs.hook', 'untestable'],
    ['needs.capability', 'untestable'],
  ])('%s is %s, and nothing is sent', async (id, status) => {
    const { finding } = await run(id, async () => expectThat(false, 'never run', 'anything else'))
    expect(finding?.status).toBe(status)
    expect(bench.session.count.requests).toBe(0)
  })

  it('is not applicable if the target declares it absent, by capability or by operation', async () => {
    for (const absent of [{ capabilities: { batch: false } }, { operations: { batch: false } }]) {
      await start({}, { capabilities: {}, ...absent })
      const { finding } = await run('needs.batch', async () =>
        expectThat(false, 'never run', 'anything else'),
      )
      expect(finding?.status).toBe('not-applicable')
    }
  })

  it('is blocked by a precondition that is rejected', async () => {
    const { finding } = await run('a.must', async ({ api, rejects }) => {
      await rejects({
        control: () => api.create(plain, { title: '' }),
        attempt: () => api.create(plain, { title: '' }),
      })
    })
    expect(finding?.status).toBe('blocked')
    expect(
      (
        await run('a.must', async () => {
          throw new BlockedError('so')
        })
      ).finding?.status,
    ).toBe('blocked')
  })

  it('fails if a request is not rejected', async () => {
    const { finding } = await run('a.must', async ({ api, rejects }) => {
      await rejects({
        control: () => api.create(plain, {}),
        attempt: () => api.create(plain, {}),
      })
    })
    expect(finding?.status).toBe('fail')
    expect(records.size).toBe(0)
  })

  it('sends only reads if the run is read-only', async () => {
    await start({ readOnly: true })
    const { finding } = await run('a.must', async ({ api }) => void (await api.create(plain, {})))
    expect(finding).toMatchObject({ status: 'untestable', hint: 'remove --read-only' })
  })

  it('reports no capability as missing that a read-only run could not probe', async () => {
    await start({ readOnly: true })
    const unasked = await run('needs.batch', async () => {})
    expect(unasked.finding).toMatchObject({
      status: 'untestable',
      message: 'the run is read-only',
      hint: 'remove --read-only',
    })
    await start({ readOnly: true }, { capabilities: { batch: false } })
    const lacking = await run('needs.batch', async () => {})
    expect(lacking.finding?.status).toBe('not-applicable')
  })
})

describe('the time of a check', () => {
  it('does not run while a request waits for its turn', async () => {
    await start({ rate: 20, checkTimeout: 450 })
    const { finding, error } = await run('a.must', async ({ api }) => {
      for (let count = 0; count < 12; count++) await api.view(plain, 'x')
    })
    expect([finding?.status, error]).toEqual(['pass', undefined])
  })

  it('runs out even with a slow rate', async () => {
    await start({ rate: 20, checkTimeout: 100 })
    const { error } = await run('a.must', async ({ api, signal }) => {
      for (let count = 0; count < 4; count++) await api.view(plain, 'x')
      await new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
      )
    })
    expect(error?.message).toContain('longer than 100 ms')
  })
})
