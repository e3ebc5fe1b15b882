/** `conformance compare` and `conformance matrix`: reports, a target that is run, and mistakes. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { jsonReport } from '../harness/report/json.ts'
import type { Status } from '../harness/vocabulary/finding.ts'
import { commandInProcess } from '../test/support/command-in-process.ts'
import { conformance } from '../test/support/run-command.ts'
import { sampleFinding, sampleReport } from '../test/support/sample-report.ts'

const folder = mkdtempSync(join(tmpdir(), 'compare-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function reportFile(name: string, status: Status): string {
  const path = join(folder, name)
  writeFileSync(path, jsonReport({ ...sampleReport(), findings: [sampleFinding('record.id', status)] }))
  return path
}

const [good, bad] = [reportFile('good.json', 'pass'), reportFile('bad.json', 'fail')]
const xml = join(folder, 'a.xml')
writeFileSync(xml, '<?xml version="1.0"?>\n<testsuites>\n\t<a b="%c"/>\n</testsuites>\n')
const neither = join(folder, 'neither.json')
writeFileSync(neither, '{"name":"x"}')
const other = join(folder, 'other.json')
writeFileSync(other, '{"findings":[{"requirement":"a.b","status":"pass","message":""}]}')

describe('compare', () => {
  it('says once when the options of a run apply', async () => {
    const { out } = await commandInProcess(['compare', '--help'])
    expect(out).toMatch(/^ {2}--seed <number> .*\n +\(default: random\)$/m)
    expect(out.match(/a\s+target\.$/gm)).toHaveLength(1)
  })

  it('exits with 1 if something got worse, and with 0 if it got better', async () => {
    const worse = await commandInProcess(['compare', good, bad])
    expect([worse.code, worse.out]).toEqual([1, expect.stringMatching(/^broke$/m)])
    const better = await commandInProcess(['compare', bad, good])
    expect([better.code, better.out]).toEqual([0, expect.stringMatching(/^fixed$/m)])
  })

  it('exits with 2 if the second run ended with an error, whatever else it says', async () => {
    const ended = join(folder, 'ended.json')
    const { verdict, ...report } = sampleReport()
    writeFileSync(ended, jsonReport({ ...report, verdict: { ...verdict, outcome: 'error' } }))
    expect((await commandInProcess(['compare', ended, ended])).code).toBe(2)
  })

  it('writes the requested formats', async () => {
    const [page, text] = [join(folder, 'compared.html'), join(folder, 'compared.md')]
    const args = ['--report', `html=${page}`, '--report', `markdown=${text}`, '--report', 'json=-']
    const { out } = await commandInProcess(['compare', good, bad, ...args])
    expect(JSON.parse(out)).toMatchObject({ worse: true, differences: [{ change: 'broke' }] })
    expect(readFileSync(page, 'utf8')).toContain('<h2>Broke</h2>')
    expect(readFileSync(text, 'utf8')).toContain('### Broke')
  })

  it('limits a report to the selection, so that nothing counts as gone that was not requested', async () => {
    const both = join(folder, 'both.json')
    const findings = [sampleFinding('record.id', 'pass'), sampleFinding('list.page', 'pass')]
    writeFileSync(both, jsonReport({ ...sampleReport(), findings }))
    const { code, out } = await commandInProcess(['compare', both, bad, '--only', 'record'])
    expect([code, out]).toEqual([1, expect.stringMatching(/^got worse: 1 broke, 0 the same$/m)])
    const none = await commandInProcess(['compare', both, bad, '--only', 'batch'])
    expect([none.code, none.err]).toEqual([2, expect.stringContaining('none of the selected requirements')])
    const typo = await commandInProcess(['compare', both, bad, '--only', 'recrod'])
    expect([typo.code, typo.err]).toEqual([2, expect.stringContaining('did you mean record?')])
  })

  it('names a report that cannot be written', async () => {
    const lost = join(folder, 'nowhere', 'compared.md')
    const { code, err } = await commandInProcess(['compare', good, bad, '--report', `markdown=${lost}`])
    expect([code, err]).toEqual([2, expect.stringContaining(`--report markdown=${lost}`)])
  })

  it('prints one line for each difference, if that is requested', async () => {
    const { out } = await commandInProcess(['compare', good, bad, '--quiet'])
    expect(out).toMatch(/^broke\n.* record\.id .*\n\ngot worse: 1 broke, 0 the same$/m)
    expect((await commandInProcess(['compare', good, bad])).out).toMatch(/ record\.id .*\n {4}/)
  })

  it('runs a target that is named instead of a report', async () => {
    const { code, out } = await conformance(['compare', bad, 'embedded', '--only', 'record.id'])
    expect([code, out]).toEqual([0, expect.stringMatching(/^nothing got worse: 1 fixed, 0 the same$/m)])
  }, 60_000)
})

describe('matrix', () => {
  it('writes one page about all reports', async () => {
    const page = join(folder, 'matrix.html')
    const { code, out } = await commandInProcess(['matrix', `old=${good}`, `new=${bad}`, '--output', page])
    expect([code, out]).toEqual([0, expect.stringContaining('1 requirements, 2 servers, 1 differences')])
    expect(readFileSync(page, 'utf8')).toContain('<th scope="col">new</th>')
  })

  it('needs a name for each column', async () => {
    const { code, err } = await commandInProcess(['matrix', good, bad, '--output', '-'])
    expect([code, err]).toEqual([2, expect.stringContaining('NAME=FILE')])
  })
})

it.each<[string, string[], RegExp]>([
  ['a file that is not there', ['compare', join(folder, 'none.json'), good], /cannot be read \(ENOENT\)/],
  [
    'a report with a mistyped name that is not there',
    ['compare', join(folder, 'none.jsn'), good],
    /the report cannot be read \(ENOENT\)/,
  ],
  [
    'a report in another format',
    ['compare', good, xml],
    /\/a\.xml is not a JSON report\n.*\n {2}next {2}write/,
  ],
  [
    'a target that is not there',
    ['compare', good, join(folder, 'none.yaml')],
    /the target file cannot be read/,
  ],
  ['a mistyped shipped target', ['compare', good, 'pocketbse'], /did you mean pocketbase\?/],
  ['JSON that is neither report nor target', ['compare', neither, good], /it has no "findings"/],
  ['a file without a verdict', ['compare', other, good], /is not a finding/],
  ['one report only', ['compare', good], /missing required argument/],
  [
    'a report that is not there',
    ['matrix', join(folder, 'none.json')],
    /the report cannot be read \(ENOENT\)/,
  ],
  ['an unknown format', ['compare', good, bad, '--report', 'htlm=a'], /did you mean "html"/i],
])('%s is a mistake of the caller', async (_what, args, message) => {
  const { code, err } = await commandInProcess(args)
  expect([code, err]).toEqual([2, expect.stringMatching(message)])
})
