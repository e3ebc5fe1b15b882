/**
 * An order as vitest tests: every planned check becomes a test, the smoke check the first, the judgement of all
 * exchanges the last. docs/decisions/004.
 *
 * @module
 */

import { BroadcastChannel } from 'node:worker_threads'
import { afterAll, inject, type TestContext, test } from 'vitest'
import { loadRequirements } from '../../spec/requirements.ts'
import { defined } from '../defined.ts'
import { ConfigurationError, StoppedError, TargetLostError } from '../errors.ts'
import { lostTarget } from '../judging/lost-target.ts'
import { startChecking } from '../judging/run-checks.ts'
import { cleanEnd, recoverLeftovers } from '../ledger/recover.ts'
import { createSession } from '../session.ts'
import { smokeCheck } from '../smoke.ts'
import { loadPlanned } from '../suites.ts'
import { createValidator } from '../wire/validator.ts'
import type { TaskNews, WorkerOrders } from './messages.ts'

/** Registers the tests of the `at`-th order. */
export async function runOrder(at: number): Promise<void> {
  const { orders, stopChannel } = JSON.parse(inject('conformance')) as WorkerOrders
  const order = orders[at]
  if (order === undefined) throw new Error(`there is no order ${at}`)
  const requirements = loadRequirements()
  const session = createSession(order.target, { requirements, validator: createValidator() }, order.session)
  const checking = startChecking(session, {
    bail: order.bail,
    ...(order.path === undefined ? {} : { path: order.path }),
  })
  const checks = await loadPlanned(order.checks)
  let unusable: string | undefined

  const stop = new AbortController()
  const channel = new BroadcastChannel(stopChannel)
  channel.onmessage = () => stop.abort()
  channel.unref()

  function tell({ task }: TestContext, news: Omit<TaskNews, 'order' | 'requests'>): void {
    task.meta.conformance = { ...news, order: at, requests: session.recorder.requests }
  }

  test('smoke', async (context) => {
    session.signal = stop.signal
    try {
      const smoke = await smokeCheck(session, {
        creates: true,
        checks: [...order.checks.map(({ id }) => id), ...(order.elsewhere ?? [])],
      })
      smoke.notes.push(...(await recoverLeftovers(session)))
      tell(context, { smoke })
    } catch (error) {
      unusable = error instanceof Error ? error.message : String(error)
      if (error instanceof StoppedError) context.skip('the run was stopped')
      if (error instanceof ConfigurationError) {
        const [fact = '', place = '', next = ''] = [error.fact, error.place, error.next].map((text) =>
          session.redactor.message(text),
        )
        tell(context, { configuration: { fact, place, next }, ended: 'configuration' })
      } else
        tell(context, {
          error:
            error instanceof TargetLostError
              ? lostTarget(session, 'smoke', error)
              : { place: 'smoke', message: session.redactor.message(unusable) },
          ended: 'lost',
        })
      throw error
    }
  })

  for (const check of checks) {
    test(`${check.suite} ${check.id}`, async (context) => {
      const over = unusable !== undefined || checking.ended !== undefined || stop.signal.aborted
      if (over) context.skip('the run has ended')
      const { finding, error } = await checking.step(check, stop.signal)
      const ended = checking.ended
      tell(context, {
        ...(finding === undefined ? {} : { finding }),
        ...(error === undefined ? {} : { error }),
        ...(ended === undefined ? {} : { ended }),
      })
      if (error !== undefined) throw new Error(error.message)
      if (finding?.status === 'fail') throw new Error(finding.message)
      if (finding !== undefined && finding.status !== 'pass')
        context.skip(`${finding.status}: ${finding.message}`)
    })
  }

  test('everything seen', async (context) => {
    if (checking.ended === 'lost') await session.revive()
    await cleanEnd(session)
    tell(context, {
      ...checking.finish(new Set(order.elsewhere)),
      leftovers: session.ledger.leftovers,
      foreign: session.ownership.foreign,
      unlisted: session.ownership.prior.unlisted,
      sent: session.ledger.counts,
      ...defined({ connections: session.connections.counts() }),
      ...(stop.signal.aborted && { ended: 'stopped' }),
    })
  })

  afterAll(async () => {
    channel.close()
    await session.close()
  })
}
