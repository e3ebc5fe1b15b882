import { expect, it } from 'vitest'
import { loadRequirements } from '../../spec/requirements.ts'
import { sampleFinding } from '../../test/support/sample-report.ts'
import { checkNotApplicable, withNotApplicable } from './not-applicable.ts'

const requirements = loadRequirements()
const declared = { 'verification.*': 'accounts are verified immediately' }
const { status: _status, ...rest } = sampleFinding('verification.confirms', 'pass')

it('replaces what could not be judged, with the reason', () => {
  expect(withNotApplicable([{ ...rest, status: 'untestable' }], declared, requirements)).toEqual([
    {
      ...rest,
      status: 'not-applicable',
      message: 'declared in the target file: accounts are verified immediately',
    },
  ])
})

it.each(['pass', 'fail', 'warn', 'blocked', 'observed'] as const)(
  'keeps a finding that is "%s"',
  (status) => {
    const findings = [{ ...rest, status }]
    expect(withNotApplicable(findings, declared, requirements)).toEqual(findings)
  },
)

it('keeps the finding of a check that sent nothing', () => {
  const findings = [{ ...rest, status: 'untestable' as const, requests: 0 }]
  expect(withNotApplicable(findings, declared, requirements)).toEqual(findings)
})

it('keeps findings that are not declared', () => {
  const findings = [sampleFinding('records.list', 'untestable')]
  expect(withNotApplicable(findings, declared, requirements)).toEqual(findings)
})

it('rejects an unknown requirement, with the nearest one', () => {
  expect(() => checkNotApplicable({ 'verification.confirm': 'x' }, requirements)).toThrow(
    expect.objectContaining({
      place: 'target file, notApplicable: verification.confirm',
      next: expect.stringContaining('did you mean verification.confirms?'),
    }),
  )
})
