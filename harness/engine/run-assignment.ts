/**
 * Runs one assignment: the smoke check, the planned checks, then the checks about all exchanges. docs/decisions/004.
 *
 * @module
 */

import { loadRequirements } from '../../spec/requirements.ts'
import { cleanEnd } from '../cleanup/clean-end.ts'
import { recoverLeftovers } from '../cleanup/recover-leftovers.ts'
import { ConfigurationError, messageOf, StoppedError, TargetLostError } from '../errors.ts'
import { type Explored, exploredTarget } from '../explore/explored-target.ts'
import { usableResponse } from '../explore/usable-response.ts'
import { type Checking, startChecking } from '../judging/checking.ts'
import { lostTarget } from '../judging/lost-target.ts'
import { loadPlanned, type PlannedCheck } from '../planning/suites.ts'
import { createSession } from '../session/create-session.ts'
import { smokeCheck } from '../smoke/smoke.ts'
import { loadHooks } from '../target/call-hook.ts'
import type { Finding } from '../vocabulary/finding.ts'
import type { Session } from '../vocabulary/session.ts'
import { RequestCount } from '../wire/request-count.ts'
import { ConcurrentChecks, checksAtOnce } from './concurrent-checks.ts'
import type { Assignment, News } from './messages.ts'
import { withCause } from './with-cause.ts'

/**
 * @param stop ends it after the request under way; what it created is deleted first
 * @param requested checks of the assignment that are requested one by one. @default all, in its order
 */
export async function runAssignment(
  assignment: Assignment,
  stop: AbortSignal,
  onNews: (news: News) => void,
  requested: AsyncIterable<PlannedCheck> | Iterable<PlannedCheck> = assignment.checks,
): Promise<void> {
  const count = new RequestCount(assignment.session.maxRequests)
  const exploring = loadHooks(assignment.target).then(() =>
    exploredTarget(assignment.target, assignment.session, count, stop),
  )
  // The smoke check reports what went wrong.
  const { target } = await exploring.catch(() => assignment)
  const requirements = loadRequirements()
  const session = createSession(target, { requirements, count, stop }, assignment.session)
  session.signal = stop
  const concurrent = new ConcurrentChecks(session)
  const tell = (news: Omit<News, 'requests'>) =>
    onNews({ ...news, requests: session.count.requests + concurrent.requests })
  try {
    const findings = new Map<string, Finding>()
    const checking = startChecking(session, { bail: assignment.bail, path: assignment.path, findings })
    // If checks are requested one by one, those that are not requested are not loaded.
    if (requested === assignment.checks) await loadPlanned(assignment.checks)
    // The clean-up follows even if something goes wrong.
    const guarded = async (place: string, work: () => Promise<void>) => {
      try {
        await work()
      } catch (error) {
        tell({ error: { place, message: session.redactor.message(messageOf(error)) } })
      }
    }
    let ended: Checking['ended']
    const step = (planned: PlannedCheck, by: Checking) =>
      guarded(planned.id, async () => {
        const [check] = await loadPlanned([planned])
        if (check === undefined) return
        const { finding, error } = await by.step(check, stop)
        ended ??= by.ended
        tell({ finding, error, ended: by.ended })
      })
    const usable = await firstLook(session, assignment, exploring, tell)
    const goesOn = () => ended === undefined && !stop.aborted
    const most = checksAtOnce(session.recorder.times, assignment.session.concurrency)
    if (usable && assignment.concurrent === true && requested === assignment.checks && most > 1)
      await concurrent.run(assignment.checks, most, stop, goesOn, async (planned, own) => {
        await step(planned, startChecking(own, { findings }))
        await guarded('clean-up', () => cleanEnd(own, { sweeps: false }))
      })
    else
      for await (const planned of usable ? requested : []) {
        if (!goesOn()) break
        await step(planned, checking)
      }
    // Asked before the clean-up, which a stop does not shorten: from here on nothing is left out.
    const isStopped = stop.aborted && assignment.checks.some(({ id }) => !findings.has(id))
    await guarded('clean-up', async () => {
      if (ended === 'lost') await session.revive()
      await cleanEnd(session)
    })
    tell({
      ended: isStopped ? 'stopped' : undefined,
      end: {
        ...checking.finish(new Set(assignment.elsewhere)),
        leftovers: session.cleanup.leftovers.all,
        foreign: session.ownership.foreign,
        unlisted: session.ownership.prior.unlisted.map((each) => withCause(each, session.target)),
        journalError: session.cleanup.journalError,
        ...concurrent.seen(),
      },
    })
  } finally {
    await session.close()
  }
}

/** @returns whether checks can be run */
async function firstLook(
  session: Session,
  assignment: Assignment,
  exploring: Promise<Explored>,
  tell: (news: Omit<News, 'requests'>) => void,
): Promise<boolean> {
  try {
    const { notes } = await exploring
    const smoke = await smokeCheck(session, {
      creates: true,
      checks: [...assignment.checks.map(({ id }) => id), ...(assignment.elsewhere ?? [])],
    })
    smoke.notes.unshift(...notes)
    smoke.notes.push(...((await usableResponse(() => recoverLeftovers(session))) ?? []))
    tell({ smoke })
    return true
  } catch (error) {
    if (error instanceof StoppedError) {
      tell({ ended: 'stopped' })
      return false
    }
    if (error instanceof ConfigurationError) {
      const [fact = '', place = '', next = ''] = [error.fact, error.place, error.next].map((text) =>
        session.redactor.message(text),
      )
      tell({ configuration: { fact, place, next }, ended: 'configuration' })
      return false
    }
    const message = session.redactor.message(messageOf(error))
    const lost =
      error instanceof TargetLostError ? lostTarget(session, 'smoke', error) : { place: 'smoke', message }
    tell({ error: lost, ended: 'lost' })
    return false
  }
}
