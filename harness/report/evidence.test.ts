import { expect, it } from 'vitest'
import { sampleFinding } from '../../test/support/sample-report.ts'
import { evidence, noteOf } from './evidence.ts'
import { findingHtml } from './html-finding.ts'

it('holds what the requirement of a failure notes, in every format, and nothing of one that passed', () => {
  const failed = sampleFinding('list.filter-narrows', 'fail')
  const note = 'The form of a condition is a binding (filter.equals)'
  expect(evidence(failed)).toContain(`note      ${note}`)
  expect(findingHtml(failed)).toContain(`<p>Note: ${note}`)
  expect(noteOf({ ...failed, status: 'pass' })).toBeUndefined()
  expect(findingHtml({ ...failed, status: 'pass' })).not.toContain('Note:')
})
