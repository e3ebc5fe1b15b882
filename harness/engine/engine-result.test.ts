import { expect, it } from 'vitest'
import { sampleFinding } from '../../test/support/sample-report.ts'
import { type EnginePart, nothingYet, together } from './engine-result.ts'

const part = (more: Partial<EnginePart>): EnginePart => ({ ...nothingYet(), ...more })
const otherViolations = (requirement: string, message: string) => ({ requirement, message, curl: [] })
const failing = (requirement: string, message: string) =>
  sampleFinding(requirement, 'fail', { message, requests: 0, ms: 0 })

it('the messages of one worker are the result', () => {
  const findings = [sampleFinding('a.b', 'pass')]
  const sent = { reads: 1, signIns: 2, writes: 3 }
  expect(together([part({ findings, requests: 6, sent })])).toEqual({
    findings,
    errors: [],
    leftovers: [],
    foreign: [],
    unlisted: [],
    otherViolations: [],
    coverage: {},
    requests: 6,
    sent,
    stopped: false,
  })
})

it('two are added up, and neither is lost', () => {
  const result = together([
    part({
      findings: [sampleFinding('a.b', 'pass')],
      requests: 6,
      sent: { reads: 1, signIns: 2, writes: 3 },
      otherViolations: [otherViolations('x.y', 'seen first')],
    }),
    part({
      findings: [sampleFinding('c.d', 'pass')],
      errors: [{ place: 'c.e', message: 'broken' }],
      leftovers: [{ table: 't', id: 'i', reason: 'refused' }],
      requests: 5,
      sent: { reads: 5, signIns: 0, writes: 0 },
      otherViolations: [otherViolations('x.y', 'seen second'), otherViolations('x.z', 'seen')],
      stopped: true,
    }),
  ])
  expect(result.findings.map(({ requirement }) => requirement)).toEqual(['a.b', 'c.d'])
  expect(result).toMatchObject({ requests: 11, sent: { reads: 6, signIns: 2, writes: 3 }, stopped: true })
  expect([result.errors.length, result.leftovers.length]).toEqual([1, 1])
  expect(result.otherViolations.map(({ message }) => message)).toEqual(['seen first', 'seen'])
})

it('what both have seen is one row, in either order of the workers', () => {
  const row = (status: number, ...requirements: string[]) => ({
    status,
    actor: 'guest' as const,
    parameters: ['query.page'],
    requirements,
  })
  const one = part({ coverage: { viewRecord: [row(200, 'a.b', 'a.c')], listRecords: [row(200, 'a.b')] } })
  const other = part({ coverage: { listRecords: [row(400, 'c.d'), row(200, 'c.d', 'a.b')] } })
  const { coverage } = together([one, other])
  expect(coverage).toEqual({
    listRecords: [row(200, 'a.b', 'c.d'), row(400, 'c.d')],
    viewRecord: [row(200, 'a.b', 'a.c')],
  })
  expect(JSON.stringify(together([other, one]).coverage)).toBe(JSON.stringify(coverage))
})

it.each(['pass', 'untestable', 'blocked'] as const)(
  'what one worker saw changes a %s of the other',
  (status) => {
    const known = sampleFinding('wire.x', status, { requests: 4, ms: 9 })
    const { findings } = together([part({ findings: [known] }), part({ late: [failing('wire.x', 'leaks')] })])
    expect(findings).toMatchObject([{ status: 'fail', message: 'leaks', requests: 4, ms: 9 }])
  },
)

it.each(['fail', 'observed', 'not-applicable'] as const)('but no %s', (status) => {
  const known = sampleFinding('wire.x', status, { message: 'own' })
  const { findings } = together([part({ late: [failing('wire.x', 'leaks')] }), part({ findings: [known] })])
  expect(findings).toEqual([known])
})

it('what one worker saw of a check of the other is reported separately only if that check was never reached', () => {
  const seen = part({
    late: [failing('wire.x', 'leaks (seen in list.shape)')],
    otherViolations: [otherViolations('wire.x', 'leaks')],
  })
  const stopped = together([part({ stopped: true }), seen])
  expect([stopped.findings, stopped.otherViolations]).toEqual([[], [otherViolations('wire.x', 'leaks')]])
  const whole = together([part({ findings: [sampleFinding('wire.x', 'pass')] }), seen])
  expect([whole.findings.length, whole.otherViolations]).toEqual([1, []])
})

it('what both saw is reported as the first one saw it', () => {
  const late = (message: string) => [failing('wire.x', message)]
  const findings = [sampleFinding('wire.x', 'pass')]
  const result = together([part({ findings, late: late('first') }), part({ late: late('second') })])
  expect(result.findings).toMatchObject([{ message: 'first' }])
})
