import { expect, it } from 'vitest'
import { nasty, sampleReport } from '../../test/support/sample-report.ts'
import { htmlReport } from './html.ts'

it('reports a lost target separately from the errors of the run, with its request and the command', () => {
  const report = sampleReport()
  const lost = { place: 'a.b', message: 'gone', lost: true, curl: [`curl ${nasty}`], again: 'npx again' }
  const html = htmlReport({ ...report, errors: [...report.errors, lost] })
  const reported =
    /<section id="[\w-]+"><h2>The target stopped responding<\/h2>.*?<\/section>/s.exec(html)?.[0] ?? ''
  expect(reported).toContain('<code>a.b</code> gone')
  expect(reported).toContain('curl &lt;/script&gt;')
  expect(reported).toContain('npx again')
  const ours =
    /<section id="[\w-]+"><h2>Errors in the suite \(not in the server\)<\/h2>.*?<\/section>/s.exec(
      html,
    )?.[0] ?? ''
  expect(ours).toContain('clean-up')
  expect(ours).not.toContain('a.b')
})
