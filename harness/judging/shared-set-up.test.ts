/** Set-up that one check made and another one uses is part of the evidence of both. */

import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { standardBinding } from '../../spec/gaps.ts'
import { madeUpRequirement } from '../../test/support/made-up-requirement.ts'
import { createSession } from '../session/create-session.ts'
import type { CheckBody, CheckContext } from '../vocabulary/check.ts'
import type { Finding } from '../vocabulary/finding.ts'
import type { Session } from '../vocabulary/session.ts'
import { expectEqual } from './expect.ts'
import { runCheck } from './run-check.ts'

const requirements = new Map(['a.first', 'a.second'].map((id) => [id, madeUpRequirement(id)]))
let session: Session

beforeEach(() => {
  // Nothing is sent: the checks record what they would have sent.
  const target = {
    baseUrl: 'http://127.0.0.1:9',
    binding: standardBinding(),
    capabilities: {},
    tables: {},
    credentials: {},
  }
  session = createSession(target, { requirements }, { seed: 1 })
})

afterEach(() => session.close())

function sent(path: string): void {
  const request = { method: 'GET', path, headers: {} }
  session.recorder.record(
    { operation: undefined, actor: 'guest', request, shown: '' },
    `http://127.0.0.1:9${path}`,
  )
}

async function found(id: string, body: CheckBody): Promise<Finding | undefined> {
  return (await runCheck({ id, body }, session, { earlier: new Map() })).finding
}

const pile = ({ once }: CheckContext) =>
  once('pile', async () => {
    sent('/one')
    sent('/two')
  })

const paths = (finding: Finding | undefined) =>
  finding?.exchanges.map(({ request }) => new URL(request.url, 'http://127.0.0.1:9').pathname)

test('a failing check shows the set-up of an earlier one, and counts its own requests', async () => {
  expect((await found('a.first', pile))?.requests).toBe(2)
  const finding = await found('a.second', async (context) => {
    await pile(context)
    sent('/list')
    await pile(context)
    expectEqual(1, 2, 'a number')
  })
  expect(paths(finding)).toEqual(['/one', '/two', '/list'])
  expect(finding?.requests).toBe(1)
  expect(finding?.message).not.toContain('omitted')
})

test.each([
  ['of an earlier check', true],
  ['of an earlier example', false],
])('a counterexample shows its set-up, %s', async (_, before) => {
  if (before) await found('a.first', pile)
  const finding = await found('a.second', (context) =>
    context.property([fc.nat()], async (_number) => {
      await pile(context)
      sent('/list')
      expectEqual(1, 2, 'a number')
    }),
  )
  expect(paths(finding)).toEqual(['/one', '/two', '/list'])
  expect(finding?.message).not.toContain('omitted')
})

test('set-up before a property is shown once', async () => {
  await found('a.first', pile)
  const finding = await found('a.second', async (context) => {
    await pile(context)
    await context.property([fc.nat()], async (_number) => {
      await pile(context)
      sent('/list')
      expectEqual(1, 2, 'a number')
    })
  })
  expect(paths(finding)).toEqual(['/one', '/two', '/list'])
})
