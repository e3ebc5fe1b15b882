import { expect, it } from 'vitest'
import { sampleFinding, sampleReport } from '../../test/support/sample-report.ts'
import { markdownReport } from './markdown.ts'

it('says the verdict first, then what failed, then what could not be judged', () => {
  const text = markdownReport(sampleReport())
  const places = [
    '## ❌ record-auth-conformance: non-conformant',
    '- document: non-conformant 1/3',
    '### Failed',
    '<code>list.total-pages</code> MUST, section 2.4',
    '### Warned',
    '### Errors of the run',
    '### Could not be judged',
    '### Known failures',
    '### Left behind',
  ].map((part) => text.indexOf(part))
  expect(places).toEqual([...places].sort((a, b) => a - b))
  expect(places).not.toContain(-1)
})

it('lets no text of a server become markup', () => {
  const outside = markdownReport(sampleReport())
    .replace(/^(`{3,})text\n[\s\S]*?^\1$/gm, '')
    .replace(/`[^`\n]*`/g, '')
  expect(outside).not.toMatch(/<script|<b>|^# heading/m)
  // Inside a summary nothing is Markdown.
  expect(outside.replace(/<summary>.*<\/summary>/g, '')).not.toMatch(/(?<!\\)\*x/)
})

it('stays within what a job summary takes, however much failed', () => {
  const findings = Array.from({ length: 700 }, (_, at) =>
    sampleFinding(`list.n${at}`, 'fail', { received: 'x'.repeat(100_000) }),
  )
  const text = markdownReport({ ...sampleReport(), findings })
  expect(Buffer.byteLength(text)).toBeLessThan(1_048_576)
  expect(text).toContain('- and 650 more')
})
