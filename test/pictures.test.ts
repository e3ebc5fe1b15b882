/** The pictures of the README: real output, small, and shown where they are promised. */

import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { htmlReport } from '../harness/report/html.ts'
import { chromiumPath } from '../scripts/support/browser.ts'
import { inFull } from '../scripts/support/in-full.ts'
import { userEnvironment } from '../scripts/support/user-environment.ts'
import { loadRequirements } from '../spec/requirements.ts'
import { sampleFinding, sampleReport } from './support/sample-report.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'pictures-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('the pictures are in the README, and small', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const shown = [...readme.matchAll(/!\[[^\]]{20,}\]\((docs\/pictures\/[^)]+)\)/g)].map(([, file]) => file)
  expect(shown).toEqual(['docs/pictures/run.svg', 'docs/pictures/report.png'])
  for (const file of shown) expect(statSync(join(root, file ?? '')).size).toBeLessThan(200_000)
})

// Opens a browser. The report itself is looked at in test/report/.
it.runIf(inFull)(
  'are taken from a report, the page only if there is a browser',
  async () => {
    const from = join(folder, 'report.json')
    writeFileSync(from, JSON.stringify(sampleReport()))
    const script = join(root, 'scripts/pictures.ts')
    await promisify(execFile)(
      process.execPath,
      ['--import', 'tsx', script, '--from', from, '--output', folder],
      {
        cwd: root,
        env: userEnvironment(),
      },
    )
    expect(readFileSync(join(folder, 'run.svg'), 'utf8')).toContain('$ npx conformance --base-url')
    expect(existsSync(join(folder, 'report.png'))).toBe(chromiumPath !== undefined)
  },
  120_000,
)

it('show a page that is under 300 KB without its evidence', () => {
  const findings = [...loadRequirements().values()].map(({ id, statement, level, basis, gap, sources }) =>
    sampleFinding(id, 'untestable', {
      statement,
      level,
      basis,
      source: gap ?? sources[0]?.section ?? '',
      message: 'the target has no table with the role "everything"',
      hint: 'target file: "tables": { "everything": "<your table>" }',
      expected: undefined,
      received: undefined,
    }),
  )
  const html = htmlReport({ ...sampleReport(), findings })
  expect(Buffer.byteLength(html)).toBeLessThan(300 * 1_024)
})
