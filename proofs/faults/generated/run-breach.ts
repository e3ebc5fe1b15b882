/**
 * Runs checks against one breach until one sees it.
 *
 * @module
 */

import { type Checking, startChecking } from '../../../harness/judging/checking.ts'
import type { SuiteCheck } from '../../../harness/planning/suites.ts'
import { createSession } from '../../../harness/session/create-session.ts'
import type { FaultyServer } from '../matrix/faulty-server.ts'
import { argumentFor, outOfReach } from './argument-for.ts'
import type { Breach } from './breach.ts'
import type { BreachRow } from './fates.ts'
import type { Killers } from './killers.ts'
import { type Proving, settings } from './proving.ts'
import { readRequest } from './read-request.ts'
import type { RecordedTraffic } from './recording.ts'

/**
 * Requests of the document's checks after which those of the profile are asked: most of what only the profile forbids
 * would take all of the document's checks first.
 */
const firstRequests = 80

export interface BreachParts {
  server: FaultyServer
  proving: Proving
  checks: ReadonlyMap<string, SuiteCheck>
  recording: RecordedTraffic
  seed: number
  killers: Killers
}

/** Why a breach survives that no exchange meets, and that `argument-for.ts` has no reason for. */
const unmet = 'no request of the suite meets it'

/** @param ids of the checks whose exchanges it changes, the cheapest first */
export async function runBreach(
  breach: Breach,
  ids: readonly string[],
  parts: BreachParts,
): Promise<BreachRow> {
  const { server, proving, recording, seed, killers } = parts
  const begin = performance.now()
  const row = { name: breach.name, kind: breach.kind, checks: 0, by: '' }
  const finished = (fate: BreachRow['fate'], by = ''): BreachRow => ({
    ...row,
    fate,
    by,
    ms: performance.now() - begin,
  })
  const argument = argumentFor(breach)
  const notMet = () => {
    const reason = argument ?? outOfReach(breach)
    return reason === undefined ? finished('surviving', unmet) : finished('argued', reason)
  }
  if (ids.length === 0) return notMet()
  let met = 0
  const passed: string[] = []
  let mistake: unknown
  await server.use({
    make(tools) {
      const middleware = breach.make({
        ...tools,
        met: () => {
          met += 1
        },
        read: (request) => readRequest(request, server.reference),
      })
      return async (request, next) => {
        try {
          return await middleware(request, next)
        } catch (error) {
          mistake ??= error
          throw error
        }
      }
    },
  })
  const session = createSession(proving.target, proving.parts, settings(seed))
  session.smoke = recording.smoke
  const checking = startChecking(session)
  let profile: string | undefined
  try {
    // What is argued is looked at as well: an argument that the cheap checks refute does not stand.
    const phases = phasesOf(ids, parts).slice(0, argument === undefined ? 4 : 2)
    for (const phase of phases) {
      for (const check of checksOf(killers.first(breach, phase), parts)) {
        row.checks += 1
        const { end } = await checking.step(check)
        // The checks would see a 500 that the breach does not mean.
        if (mistake !== undefined) return finished('surviving', `a mistake in the breach: ${mistake}`)
        const broken = brokenIn(checking)
        if (broken.length === 0) passed.push(check.id)
        if (broken.length > 0) killers.saw(breach, check.id)
        const document = broken.find((id) => !isOfProfile(id, parts))
        if (document !== undefined) return finished('document', document)
        profile ??= broken[0]
        if (end !== undefined || (profile !== undefined && isOfProfile(check.id, parts))) break
      }
      if (profile !== undefined) break
    }
  } finally {
    await session.close()
  }
  if (profile !== undefined) return finished('profile', profile)
  if (met === 0) return notMet()
  return argument === undefined
    ? finished('surviving', `not seen by ${passed.join(', ')}`)
    : finished('argued', argument)
}

/** The document's cheapest checks, the profile's cheapest, the document's others, the profile's others. */
function phasesOf(ids: readonly string[], parts: BreachParts): string[][] {
  const isProfile = (id: string) => isOfProfile(id, parts)
  const halves = [ids.filter((id) => !isProfile(id)), ids.filter(isProfile)].map((half) => {
    let sum = 0
    const end = half.findIndex((id) => {
      sum += parts.recording.requests.get(id) ?? 0
      return sum > firstRequests
    })
    const most = Math.max(1, end === -1 ? half.length : end)
    return [half.slice(0, most), half.slice(most)]
  })
  return [0, 1].flatMap((part) => halves.map((half) => half[part] ?? []))
}

function checksOf(ids: readonly string[], { checks }: BreachParts): SuiteCheck[] {
  return ids.map((id) => checks.get(id)).filter((check) => check !== undefined)
}

function isOfProfile(id: string, { proving }: BreachParts): boolean {
  return proving.parts.requirements.get(id)?.basis === 'profile'
}

/** Requirements that fail or warn, by their checks or by any exchange so far. */
function brokenIn(checking: Checking): string[] {
  const { otherViolations } = checking.finish()
  const failed = [...checking.findings.values()].filter(
    ({ status }) => status === 'fail' || status === 'warn',
  )
  return [...failed, ...otherViolations].map(({ requirement }) => requirement)
}
