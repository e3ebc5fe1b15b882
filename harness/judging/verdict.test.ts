import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../exchange/exchange.ts'
import type { Basis, Level } from '../../spec/vocabulary.ts'
import { statusOf } from '../../validate/status-of.ts'
import type { Finding, RunError, Status } from '../vocabulary/findings.ts'
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
const claimed = { name: 'standard', claimed: true }
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
    const verdict = verdictOf({ findings, profile: claimed, ...more })
    expect([verdict.outcome, verdict.exitCode]).toEqual([outcome, exitCode])
  })

  it('names the request that the server failed at, and counts it as a warning', () => {
    const request = { method: 'POST', url: 'http://h/api/v1/batch', headers: {}, body: '' }
    const exchange = { request, response: { status: 503, headers: {}, body: '' } } as unknown as Exchange
    const failed = { ...finding('warn'), requirement: 'wire.no-5xx', exchanges: [exchange] }
    const { lines, exitCode } = verdictOf({ findings: [finding('pass'), failed], profile: claimed })
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
    expect(verdictOf({ findings, profile: claimed }).lines).toEqual([
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
    const verdict = verdictOf({ findings: [finding('pass')], errors, profile: claimed })
    expect(verdict.lines).toEqual(['document: conformant 1/1', ...last])
    expect([verdict.outcome, verdict.exitCode]).toEqual(['error', 2])
  })

  it('names the share of the document if a part is declared absent', () => {
    const exists = (requirement: string, status: Status) => ({ ...finding(status), requirement })
    const findings = [
      exists('operation.batch', 'not-applicable'),
      exists('operation.list-records', 'pass'),
      finding('pass'),
      finding('not-applicable'),
    ]
    const { lines, document, exitCode } = verdictOf({ findings, profile: claimed })
    expect(lines[0]).toBe('document: conformant in part 2/2: 1 of 2 operations, 2 of 4 requirements')
    expect(document.share).toEqual({
      operations: { present: 1, of: 2 },
      requirements: { applicable: 2, of: 4 },
    })
    expect(exitCode).toBe(0)
    const other = verdictOf({ findings: findings.slice(2), profile: claimed })
    expect(other.lines[0]).toBe('document: conformant in part 1/1: 1 of 2 requirements')
  })

  it('names both grades of the profile', () => {
    const family = { grade: 'family' } as const
    const findings = [
      finding('pass'),
      finding('pass', 'profile'),
      { ...finding('fail', 'profile'), ...family },
      { ...finding('pass', 'profile'), ...family },
    ]
    const { lines, profile } = verdictOf({ findings, profile: claimed })
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
    const profile = { name: 'recommended', claimed: true, follows: ['a.b'] }
    const verdict = verdictOf({ findings, profile })
    expect(verdict.lines[1]).toBe('recommended profile: 1/1, 1 of 2 others match it')
    expect(verdict.exitCode).toBe(0)
  })

  it('summarizes an unclaimed profile', () => {
    const findings = [finding('pass'), same, finding('observed', 'profile')]
    const { lines, exitCode } = verdictOf({ findings, profile: { name: 'standard', claimed: false } })
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
    const verdict = verdictOf({ findings, profile: { name: 'standard', claimed: isClaimed } })
    expect(verdict.lines).toEqual(lines)
  })

  it('is not a success if nothing was judged, and says what is missing', () => {
    const findings = [same]
    const { lines, exitCode } = verdictOf({ findings, profile: { name: 'standard', claimed: false } })
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
