import { expect, it } from 'vitest'
import { nasty, sampleFinding, sampleReport } from '../../test/support/sample-report.ts'
import { markdownReport } from './markdown.ts'

it('says the verdict first, then what failed, then what could not be judged', () => {
  const text = markdownReport(sampleReport())
  const places = [
    '## ❌ record-auth-conformance: non-conformant',
    '- document: non-conformant 1/3',
    '### Failed',
    '<code>list.total-pages</code></a> MUST, stated, section 2.4',
    '### Warned',
    '### Errors in the suite',
    '### Blocked',
    '### Untestable',
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

it('reports a lost target separately from the errors of the run, with its request and the command', () => {
  const report = sampleReport()
  const lost = { place: 'a.b', message: nasty, lost: true, curl: [`curl ${nasty}`], again: 'npx again' }
  const text = markdownReport({ ...report, errors: [...report.errors, lost] })
  const [, section = ''] = text.split('### The target stopped responding\n')
  const [reported = ''] = section.split('\n### ')
  expect(reported).toContain('<summary><code>a.b</code>: &lt;/script&gt;')
  expect(reported).toMatch(/^\$ curl /m)
  expect(reported).toMatch(/^replay {4}npx again$/m)
  expect(text.split('### Errors in the suite (not in the server)\n')[1]).toMatch(
    /^\n<details>\n<summary><code>clean-up<\/code>/,
  )
})

/** What a comment on GitHub takes, in characters. A job summary takes more. */
const most = 65_536

it('stays within what a comment takes, however much failed', () => {
  const findings = Array.from({ length: 700 }, (_, at) =>
    sampleFinding(`list.n${at}`, 'fail', { received: 'x'.repeat(100_000) }),
  )
  const text = markdownReport({ ...sampleReport(), findings })
  expect(text.length).toBeLessThan(most)
  const details = text.match(/<details>/g)?.length ?? 0
  // One is that of an error.
  expect(text).toContain(`- and ${700 - (details - 1)} more`)
})

it('stays within it also with long lines, and shows some of everything', () => {
  const text = 'ü漢&'.repeat(4_000)
  const findings = (['fail', 'warn', 'blocked'] as const).flatMap((status) =>
    Array.from({ length: 50 }, (_, at) =>
      sampleFinding(`list.${status}${at}`, status, { message: text, hint: text, received: text }),
    ),
  )
  const errors = Array.from({ length: 90 }, () => ({ place: text, message: text }))
  const report = sampleReport()
  const lines = [...report.verdict.lines, ...Array.from({ length: 900 }, () => `baseline: ${text}`)]
  const markdown = markdownReport({ ...report, findings, errors, verdict: { ...report.verdict, lines } })
  expect(markdown.length).toBeLessThan(most)
  const shown = (id: RegExp) => markdown.match(id)?.length ?? 0
  const [details, verdict, blocked] = [/<details>/g, /^- baseline: /gm, /^- `list\.blocked/gm].map(shown)
  for (const number of [details, verdict, blocked]) expect(number).toBeGreaterThan(3)
  const left = [...markdown.matchAll(/^- and (\d+) more$/gm)].reduce((sum, [, more]) => sum + Number(more), 0)
  // Other sections may have rows that do not fit.
  expect(left).toBeGreaterThanOrEqual(100 + 90 - (details ?? 0) + 900 - (verdict ?? 0) + 50 - (blocked ?? 0))
})

it('limits the length of a fence, whatever a server sends', () => {
  const findings = [sampleFinding('list.page', 'fail', { message: `a ${'`'.repeat(5_000)} b`, hint: 'c' })]
  const text = markdownReport({ ...sampleReport(), findings })
  expect(Math.max(...[...text.matchAll(/^`+/gm)].map(([run]) => run.length))).toBe(17)
  expect(text).toMatch(/^`{17}text\na `{16}… b\n[\s\S]*^`{17}$/m)
})

it('has no table of statuses if there are none', () => {
  expect(markdownReport({ ...sampleReport(), findings: [] })).not.toMatch(/^\|/m)
})
