import { expect, it } from 'vitest'
import { sampleFinding, sampleReport } from '../../test/support/sample-report.ts'
import type { Status } from '../vocabulary/finding.ts'
import { annotationLines } from './annotations.ts'

const many = (count: number, status: Status) =>
  Array.from({ length: count }, (_, at) => sampleFinding(`${status}.n${at}`, status, { message: 'no' }))
const clean = { ...sampleReport(), errors: [], leftovers: [] }

it('writes a line for each failure and each warning, at most ten of each', () => {
  const lines = annotationLines({ ...clean, findings: [...many(13, 'fail'), ...many(2, 'warn')] })
  expect(lines.filter((line) => line.startsWith('::error title=conformance%3A fail.n'))).toHaveLength(9)
  expect(lines[9]).toBe(
    '::error title=conformance%3A 4 more::4 more: see the report or the summary of the job',
  )
  expect(lines.filter((line) => line.startsWith('::warning '))).toHaveLength(2)
  expect(lines).toHaveLength(12)
})

it('says why an incomplete run is red, and nothing about a green one', () => {
  const verdict = {
    ...clean.verdict,
    outcome: 'incomplete' as const,
    lines: ['document: 1/1', 'incomplete: why'],
  }
  expect(annotationLines({ ...clean, findings: [], verdict })).toEqual([
    '::error title=conformance%3A incomplete::incomplete: why',
  ])
  const green = { ...clean.verdict, outcome: 'conformant' as const }
  expect(annotationLines({ ...clean, findings: many(3, 'pass'), verdict: green })).toEqual([])
})

it('keeps what a server sent inside its line', () => {
  const message = 'one\n::error::two\r%0A::set-output'
  const findings = [sampleFinding('list.page', 'fail', { message, replay: undefined })]
  const lines = annotationLines({ ...clean, findings })
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(
    /^::error title=conformance%3A list\.page \(MUST%2C stated%2C section 2\.4\)::one%0A::error/,
  )
  expect(lines[0]).not.toMatch(/[\r\n]/)
  expect(lines[0]).toContain('%250A::set-output')
})

it.each(['%', '\n', 'x%', 'xx\r', ':'])('is no longer than the runner accepts, with many %j', (piece) => {
  const finding = sampleFinding('list.page', 'fail', { message: piece.repeat(9_000) })
  const error = { place: '', message: piece.repeat(9_000) }
  const lines = annotationLines({ ...clean, findings: [finding], errors: [error] })
  expect(lines.length).toBeGreaterThan(1)
  for (const line of lines) {
    expect(line.length).toBeLessThan(4_096)
    expect(line.replace(/%(25|0A|0D|3A|2C)/g, '')).not.toContain('%')
  }
})
