/**
 * The report of validated traffic, in the form that a run has, so that every format prints it.
 *
 * @module
 */

import { countOf } from '../../spec/count-of.ts'
import { loadRequirements, sourceOf } from '../../spec/requirements.ts'
import type { Requirement } from '../../spec/vocabulary.ts'
import type { TrafficCoverage } from '../../validate/coverage/create-coverage.ts'
import type { ValidationFinding, ValidationResult, ValidatorOptions } from '../../validate/vocabulary.ts'
import { heldText } from '../judging/held-text.ts'
import { verdictOf } from '../judging/verdict.ts'
import { defined } from '../support/defined.ts'
import { packageFacts } from '../support/package-facts.ts'
import type { Finding } from '../vocabulary/finding.ts'
import type { RunReport, TrafficCount } from '../vocabulary/report.ts'
import { noSmoke } from './report-of.ts'

/** Exchanges that a message names. The others are counted. */
const mostPlaces = 3

export interface TrafficFacts {
  /** Where the traffic comes from: the files, or the URL of the upstream server. */
  source: string
  options: Pick<ValidatorOptions, 'profile' | 'strict'>
  started: Date
}

export interface TrafficEnd {
  /** Of this traffic alone. */
  coverage: TrafficCoverage
  /** What is below its floor, in words. */
  missed?: readonly string[]
  /** Entries that could not be read, and where they are. `entries` if they are only counted. */
  unread?: readonly { place: string; what: string; entries?: number }[]
  /** Why nothing was validated, if that is the case. */
  nothing?: string
}

export interface TrafficReport {
  readonly count: Readonly<TrafficTally>
  /** @param what as in `GET /api/v1/collections/notes/records 200`, without the query, which may hold a secret */
  add(what: string, result: ValidationResult): void
  /** One finding for each requirement that the traffic could break. */
  report(end: TrafficEnd): RunReport
}

export interface TrafficTally extends TrafficCount {
  /** Exchanges that conform, with a body that was validated. */
  conforming: number
  /** Exchanges that differ from the standard profile, which is not claimed, where the document does not say. */
  differing: number
}

interface Broken {
  first: ValidationFinding
  places: string[]
  times: number
}

/** Collects what the validator says of each exchange. Its memory does not grow with the traffic. */
export function startTrafficReport({ source, options, started }: TrafficFacts): TrafficReport {
  const { profile = 'none', strict = false } = options
  const claimed = profile === 'standard'
  const count: TrafficTally = {
    exchanges: 0,
    matched: 0,
    conforming: 0,
    differing: 0,
    broken: 0,
    unjudged: 0,
  }
  const broken = new Map<string, Broken>()

  function add(what: string, { operation, ok, findings, unjudged }: ValidationResult): void {
    count.exchanges += 1
    if (operation === undefined) return
    count.matched += 1
    if (!ok) count.broken += 1
    if (unjudged !== undefined) count.unjudged += 1
    else if (ok) count.conforming += 1
    if (!claimed && findings.some(({ basis }) => basis === 'profile')) count.differing += 1
    const seen = new Set<string>()
    for (const finding of findings) {
      if (seen.has(finding.requirement)) continue
      seen.add(finding.requirement)
      const known = broken.get(finding.requirement) ?? { first: finding, places: [], times: 0 }
      if (known.places.length < mostPlaces) known.places.push(`${what} at ${finding.path}`)
      known.times += 1
      broken.set(finding.requirement, known)
    }
  }

  function report({ coverage: traffic, missed = [], unread = [], nothing }: TrafficEnd): RunReport {
    const { exchanges: _exchanges, unknown: _unknown, counts: _counts, judged, ...coverage } = traffic
    const ids = new Set([...Object.keys(judged), ...broken.keys()])
    const findings = [...loadRequirements().values()]
      .filter(({ id }) => ids.has(id))
      .map((requirement) => findingOf(requirement, claimed, broken.get(requirement.id)))
    const errors = unread.map(({ place, what, entries }) =>
      defined({ place, message: what, unread: true, entries }),
    )
    const { name, version } = packageFacts()
    const unvalidated =
      strict && count.unjudged > 0 ? [`${count.unjudged} could not be validated (strict)`] : []
    const { conforming: _conforming, differing: _differing, ...counted } = count
    const problems = [...unvalidated, ...missed.map((line) => `below the coverage required: ${line}`)]
    return defined({
      suite: { name, version },
      target: defined({ baseUrl: source, profile: claimed ? profile : undefined }),
      seed: 0,
      strict: strict ? true : undefined,
      startedAt: started.toISOString(),
      durationMs: Date.now() - started.getTime(),
      requests: count.exchanges,
      verdict: verdictOf({
        findings,
        errors,
        claim: claimed ? { profile: 'standard' } : {},
        strict,
        traffic: { line: trafficLine(count), problems, nothing },
      }),
      findings,
      errors,
      leftovers: [],
      smoke: noSmoke,
      coverage,
      traffic: defined({ ...counted, problems: problems.length === 0 ? undefined : problems }),
    })
  }

  return { count, add, report }
}

/** What would count with a claim of the standard profile; empty if nothing differs from it. */
export function differingLines({ differing }: TrafficTally): string[] {
  if (differing === 0) return []
  const [responses, claims] = differing === 1 ? ['response differs', 'it'] : ['responses differ', 'them']
  return [
    `${differing} ${responses} from the standard profile where the document does not say (not counted); use --profile standard to see ${claims}`,
  ]
}

/** `4 of 5 exchanges match an operation: 2 conform, 2 do not`. */
export function trafficLine({ exchanges, matched, conforming, broken, unjudged }: TrafficTally): string {
  if (exchanges === 0) return 'no exchanges'
  const open =
    unjudged > 0 ? `; the ${unjudged === 1 ? 'body' : 'bodies'} of ${unjudged} could not be validated` : ''
  return `${matched} of ${countOf(exchanges, 'exchange')} ${exchanges === 1 ? 'matches' : 'match'} an operation: ${conforming} conform, ${broken} do not${open}`
}

function findingOf(requirement: Requirement, claimed: boolean, broken: Broken | undefined): Finding {
  const { id, statement, level, basis, grade, security } = requirement
  const facts = defined({
    requirement: id,
    statement,
    level,
    basis,
    grade,
    security,
    source: sourceOf(requirement),
    exchanges: [],
    curl: [],
    requests: broken?.times ?? 0,
    ms: 0,
  })
  if (broken === undefined)
    return basis !== 'profile' || claimed
      ? { ...facts, status: 'pass', message: '' }
      : { ...facts, status: 'observed', held: true, message: heldText(true) }
  const { first, places, times } = broken
  const others = times > places.length ? `, and ${times - places.length} more` : ''
  return {
    ...facts,
    status: first.status,
    ...(first.status === 'observed' && { held: false }),
    message: `${times} ${times === 1 ? 'exchange breaks' : 'exchanges break'} it: ${places.join(', ')}${others}`,
    expected: first.expected,
    received: first.received,
  }
}
