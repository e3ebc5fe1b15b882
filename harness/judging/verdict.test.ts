import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../exchange/exchange.ts'
import type { Basis, Level } from '../../spec/vocabulary.ts'
import { statusOf } from '../../validate/status-of.ts'
import type { Finding, Status } from '../vocabulary/finding.ts'
import type { RunError } from '../vocabulary/report.ts'
import { verdictOf } from './verdict.ts'

function finding(status: Status, basis: Basis = 'stated', message = 'x'): Finding {
  return {
    requirement: 'a.b',
    statement: 's',
    level: 'MUST',
    basis,
    source: '1',
    status,
    message,
    exchanges: [],
    curl: [],
    requests: 0,
    ms: 0,
  }
}

const same: Finding = { ...finding('observed', 'profile'), held: true }
const claim = { profile: 'standard' }
const error = { place: 'a.b', message: 'boom' }
const lost = { ...error, lost: true, curl: ['curl -sS http://h/'] }

describe('the verdict', () => {
  it.each<[string, Finding[], Partial<Parameters<typeof verdictOf>[0]>, string, number]>([
    ['nothing executed', [], {}, 'incomplete', 3],
    ['only not-applicable', [finding('not-applicable')], {}, 'incomplete', 3],
    ['all pass', [finding('pass'), finding('pass', 'profile')], {}, 'conformant', 0],
    ['pass and not-applicable', [finding('pass'), finding('not-applicable')], {}, 'conformant', 0],
    ['one fail', [finding('pass'), finding('fail')], {}, 'non-conformant', 1],
    ['one profile fail', [finding('pass'), finding('fail', 'profile')], {}, 'non-conformant', 1],
    ['one warn', [finding('pass'), finding('warn')], {}, 'conformant', 0],
    ['one warn, strict', [finding('pass'), finding('warn')], { strict: true }, 'non-conformant', 1],
    ['observed only', [finding('observed', 'profile')], {}, 'incomplete', 3],
    ['blocked', [finding('pass'), finding('blocked')], {}, 'incomplete', 3],
    ['untestable', [finding('pass'), finding('untestable')], {}, 'incomplete', 3],
    ['fail before untestable', [finding('fail'), finding('untestable')], {}, 'non-conformant', 1],
    ['stopped', [finding('pass')], { stopped: true }, 'incomplete', 3],
    ['stopped, one fail', [finding('fail')], { stopped: true }, 'non-conformant', 1],
    ['error before everything', [finding('pass'), finding('fail')], { errors: [error] }, 'error', 2],
  ])('%s', (_name, findings, more, outcome, exitCode) => {
    const verdict = verdictOf({ findings, claim, ...more })
    expect([verdict.outcome, verdict.exitCode]).toEqual([outcome, exitCode])
  })

  it('names the request that the server failed at, and counts it as a warning', () => {
    const request = { method: 'POST', url: 'http://h/api/v1/batch', headers: {}, body: '' }
    const exchange = { request, response: { status: 503, headers: {}, body: '' } } as unknown as Exchange
    const failed = { ...finding('warn'), requirement: 'wire.no-5xx', exchanges: [exchange] }
    const { lines, exitCode } = verdictOf({ findings: [finding('pass'), failed], claim })
    expect(lines).toContain('server error: POST http://h/api/v1/batch returned 503')
    expect(exitCode).toBe(0)
  })

  it('has one line for each basis', () => {
    const findings = [
      finding('pass'),
      finding('pass', 'implied'),
      finding('pass', 'profile'),
      finding('fail', 'profile'),
    ]
    expect(verdictOf({ findings, claim }).lines).toEqual([
      'document: conformant 2/2',
      'standard profile: 1/2, 1 differ',
    ])
  })

  it.each<[string, RunError[], string[]]>([
    [
      'of a target that is lost',
      [lost],
      [
        'error: the target stopped responding in a.b; replay that request to see whether it crashes the server',
      ],
    ],
    [
      'of one that two shards lost',
      [lost, { ...lost, place: 'c.d' }],
      [
        'error: the target stopped responding in a.b and c.d; replay those requests to see whether one of them crashes the server',
      ],
    ],
    [
      'of an error of the run',
      [error],
      ['error: the suite itself failed in one place; this says nothing about the server'],
    ],
    [
      'of entries that could not be read, most of them only counted',
      [
        { place: 'a.har', message: 'line 1 is not JSON', unread: true },
        { place: 'a.har', message: '7 more could not be read', unread: true, entries: 7 },
      ],
      ['error: 8 entries could not be read'],
    ],
    [
      'of both',
      [error, lost],
      [
        'error: the target stopped responding in a.b; replay that request to see whether it crashes the server',
        'error: the suite itself failed in one place; this says nothing about the server',
      ],
    ],
  ])('has a line %s, after what is known', (_name, errors, last) => {
    const verdict = verdictOf({ findings: [finding('pass')], errors, claim })
    expect(verdict.lines).toEqual(['document: not judged (1 of 1 passed)', ...last])
    expect([verdict.outcome, verdict.exitCode]).toEqual(['error', 2])
  })

  it.each([
    [[finding('pass')], 'document: not judged (stopped; 1 of 1 passed so far, 3 not run)'],
    [
      [finding('pass'), finding('fail'), finding('untestable')],
      'document: not judged (stopped; 1 of 2 passed so far, 1 failed, 1 untestable, 3 not run)',
    ],
    [[], 'document: not judged (stopped; 3 not run)'],
  ])('does not judge what an error ended, and says what was seen: %#', (findings, line) => {
    const notRun = { document: 3, profile: 2 }
    const { lines, exitCode } = verdictOf({ findings, errors: [lost], claim, notRun })
    expect(lines[0]).toBe(line)
    expect(exitCode).toBe(2)
    const ofProfile = [...findings, finding('fail', 'profile')]
    const both = verdictOf({ findings: ofProfile, errors: [lost], claim, notRun })
    expect(both.lines).toContain(
      `${claim.profile} profile: not judged (stopped; 0 of 1 passed so far, 1 failed, 2 not run)`,
    )
  })

  it('names the share of the document if a part is declared absent', () => {
    const exists = (requirement: string, status: Status) => ({ ...finding(status), requirement })
    const findings = [
      exists('operation.batch', 'not-applicable'),
      exists('operation.list-records', 'pass'),
      finding('pass'),
      finding('not-applicable'),
    ]
    const { lines, document, exitCode } = verdictOf({ findings, claim })
    expect(lines[0]).toBe('document: conformant in part 2/2: 1 of 2 operations, 2 of 4 requirements')
    expect(document.share).toEqual({
      operations: { present: 1, of: 2 },
      requirements: { applicable: 2, of: 4 },
    })
    expect(exitCode).toBe(0)
    const other = verdictOf({ findings: findings.slice(2), claim })
    expect(other.lines[0]).toBe('document: conformant in part 1/1: 1 of 2 requirements')
  })

  it.each<[Status[], boolean, string]>([
    [['pass', 'pass', 'blocked'], false, 'no failures 2/2 (1 blocked)'],
    [['pass', 'warn', 'untestable'], false, 'no failures 1/2, 1 warned (1 untestable)'],
    [['pass', 'not-applicable', 'untestable'], false, 'no failures 1/1: 2 of 3 requirements (1 untestable)'],
    [['pass', 'fail', 'untestable'], false, 'non-conformant 1/2 (1 untestable)'],
    [['pass'], true, 'no failures 1/1'],
  ])('calls no server conformant after an incomplete run: %j, stopped: %j', (statuses, stopped, line) => {
    const { lines } = verdictOf({ findings: statuses.map((status) => finding(status)), stopped })
    expect(lines[0]).toBe(`document: ${line}`)
  })

  it.each<[Status[], boolean, string]>([
    [['pass', 'fail', 'fail'], false, 'conformant except 2 known failures 1/3'],
    [['pass', 'fail', 'not-applicable'], false, 'conformant in part except 1 known failure 1/2'],
    [['pass', 'warn'], false, 'conformant 1/1'],
    [['pass', 'warn'], true, 'conformant except 1 known failure 1/2'],
    [['fail'], false, 'conformant except 1 known failure 0/1'],
  ])(
    'never calls a server with known failures conformant without saying so: %j',
    (statuses, strict, line) => {
      const findings = statuses.map((status) =>
        /fail|warn/.test(status) ? { ...finding(status), known: { reason: 'x' } } : finding(status),
      )
      expect(verdictOf({ findings, claim, strict }).lines[0]).toContain(`document: ${line}`)
    },
  )

  it('counts what is known, and stays incomplete where something could not be judged', () => {
    const known = { known: { reason: 'x' } }
    const findings = [
      finding('pass'),
      { ...finding('warn'), ...known },
      { ...finding('fail', 'profile'), ...known },
      { ...finding('pass', 'profile'), grade: 'family' as const },
    ]
    const { lines, exitCode } = verdictOf({ findings, claim })
    expect([exitCode, lines]).toEqual([
      0,
      [
        'document: conformant 1/1',
        'standard profile: 1/2, recommended 0/1, family 1/1, 1 known to differ',
        'known: 1 failure and 1 warning in the baseline, not counted',
      ],
    ])
    expect(verdictOf({ findings: [...findings, finding('blocked')], claim }).exitCode).toBe(3)
  })

  it.each<[string, Record<string, Status>, string | undefined]>([
    [
      'of a selection without "operation.*"',
      { 'list.shape': 'pass', 'list.items': 'not-applicable', 'operation.batch': 'not-applicable' },
      '1 of 2 operations',
    ],
    [
      'by what says that it exists, whatever else applies',
      { 'list.shape': 'not-applicable', 'operation.list-records': 'pass', 'list.items': 'not-applicable' },
      '1 of 1 operations',
    ],
    ['not by what is about several', { 'batch.same-as-single': 'not-applicable', 'a.b': 'pass' }, undefined],
  ])('counts the operations %s', (_name, statuses, operations) => {
    const findings = Object.entries(statuses).map(([requirement, status]) => ({
      ...finding(status),
      requirement,
    }))
    const { lines } = verdictOf({ findings, claim })
    expect(lines[0]?.match(/\d+ of \d+ operations/)?.[0]).toBe(operations)
  })

  it('names both grades of the profile', () => {
    const family = { grade: 'family' } as const
    const findings = [
      finding('pass'),
      finding('pass', 'profile'),
      { ...finding('fail', 'profile'), ...family },
      { ...finding('pass', 'profile'), ...family },
    ]
    const { lines, profile } = verdictOf({ findings, claim })
    expect(lines[1]).toBe('standard profile: 2/3, recommended 1/1, family 1/2, 1 differ')
    expect(profile.grades).toEqual({
      recommended: { counted: 1, passed: 1 },
      family: { counted: 2, passed: 1 },
    })
  })

  it('counts only the claimed part of a profile, and summarizes the rest', () => {
    const other = (status: Status, held = false) => ({
      ...finding(status, 'profile'),
      held,
      requirement: 'c.d',
    })
    const findings = [
      finding('pass'),
      finding('pass', 'profile'),
      other('observed', true),
      other('observed'),
      other('blocked'),
    ]
    const verdict = verdictOf({ findings, claim: { profile: 'recommended', follows: ['a.b'] } })
    expect(verdict.lines[1]).toBe('recommended profile: 1/1, 1 of 2 others match it')
    expect(verdict.exitCode).toBe(0)
  })

  it('summarizes an unclaimed profile', () => {
    const findings = [finding('pass'), same, finding('observed', 'profile')]
    const { lines, exitCode } = verdictOf({ findings })
    expect(lines[1]).toBe('standard profile: not claimed; 1 of 2 observed behaviors match it')
    expect(exitCode).toBe(0)
  })

  it.each<[string, Finding[], boolean, string[]]>([
    ['the document', [finding('pass')], false, ['document: conformant 1/1']],
    ['the document, with a claim', [finding('pass')], true, ['document: conformant 1/1']],
    [
      'an unclaimed profile',
      [same],
      false,
      [
        'standard profile: not claimed; 1 of 1 observed behavior matches it',
        'incomplete: nothing was judged, behavior was only observed; to judge it, add --profile standard',
      ],
    ],
    [
      'what could not be observed',
      [finding('pass'), finding('untestable', 'profile')],
      false,
      ['document: conformant 1/1', 'standard profile: not claimed (1 untestable)'],
    ],
    ['a claimed profile', [finding('pass', 'profile')], true, ['standard profile: 1/1']],
    ['nothing', [], false, ['document: not judged', 'incomplete: no check was executed']],
  ])('has no line without a number: a selection of %s', (_name, findings, isClaimed, lines) => {
    const verdict = verdictOf({ findings, claim: isClaimed ? claim : {} })
    expect(verdict.lines).toEqual(lines)
  })

  it('is not a success if nothing was judged, and says what is missing', () => {
    const findings = [same]
    const { lines, exitCode } = verdictOf({ findings })
    expect(lines.at(-1)).toBe(
      'incomplete: nothing was judged, behavior was only observed; to judge it, add --profile standard',
    )
    expect(exitCode).toBe(3)
  })
})

describe('the status of an expectation', () => {
  it.each<[boolean, Level, Basis, boolean, Status]>([
    [true, 'MUST', 'stated', false, 'pass'],
    [false, 'MUST', 'stated', false, 'fail'],
    [false, 'MUST', 'implied', true, 'fail'],
    [false, 'SHOULD', 'stated', true, 'warn'],
    [false, 'MAY', 'stated', true, 'observed'],
    [true, 'MAY', 'stated', true, 'pass'],
    [true, 'MUST', 'profile', true, 'pass'],
    [false, 'MUST', 'profile', true, 'fail'],
    [false, 'SHOULD', 'profile', true, 'warn'],
    [true, 'MUST', 'profile', false, 'observed'],
    [false, 'MUST', 'profile', false, 'observed'],
  ])('held %s, %s, %s, claimed %s: %s', (held, level, basis, isClaimed, status) => {
    expect(statusOf(held, level, basis, isClaimed)).toBe(status)
  })
})
