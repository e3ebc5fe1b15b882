import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { describe, expect, it } from 'vitest'
import { visible } from '../../exchange/visible.ts'
import { nasty, sampleFinding, sampleReport } from '../../test/support/sample-report.ts'
import type { RunReport } from '../vocabulary/report.ts'
import { junitReport } from './junit.ts'

/** What no XML document may contain. */
const unspeakable = ['\0', '\u0007', '\uD800']

interface Case {
  '@name': string
  failure?: { '@message': string; '@type': string; '#text': string }
  skipped?: { '@message': string }
  error?: { '@message': string; '@type': string; '#text': string }
  'system-out'?: string
  properties?: { property: { '@name': string; '@value': string }[] }
}

interface Suite {
  '@name': string
  '@tests': string
  '@failures': string
  '@errors': string
  '@skipped': string
  testcase: Case[]
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  trimValues: false,
  isArray: (name) => ['testsuite', 'testcase', 'property'].includes(name),
})

function parse(xml: string): Suite & { testsuite: Suite[] } {
  expect(XMLValidator.validate(xml)).toBe(true)
  return parser.parse(xml).testsuites
}

describe('JUnit', () => {
  const { connections: _broken, ...sample } = sampleReport()
  const report = { ...sample, leftovers: [], foreign: [] }
  const parsed = parse(junitReport(report))
  const cases = new Map(
    parsed.testsuite.flatMap(({ testcase }) => testcase).map((each) => [each['@name'], each]),
  )

  it('has a case for each requirement that was judged or is known, each reason, and each error of the run', () => {
    const reasons = [...cases.keys()].filter((name) => /^1 (observed|not-app|blocked|untestable)/.test(name))
    expect(reasons).toHaveLength(4)
    expect([...cases.keys()].filter((name) => !reasons.includes(name)).sort()).toEqual(
      ['list.shape', 'list.total-pages', 'list.page', 'batch.order', 'clean-up'].sort(),
    )
    expect(parsed).toMatchObject({ '@tests': '9', '@failures': '1', '@errors': '1', '@skipped': '5' })
  })

  it('has one skipped case for all that is not judged for one reason, with their ids', () => {
    const findings = Array.from({ length: 600 }, (_, at) =>
      sampleFinding(`list.n${at}`, 'untestable', { hint: 'add a table' }),
    )
    const { testsuite } = parse(junitReport({ ...report, findings }))
    const suite = testsuite.find((each) => each['@name'] === 'not judged')
    expect(suite?.testcase.map((each) => each['@name'])).toEqual(['600 untestable: add a table'])
    expect(suite?.testcase[0]?.['system-out']).toContain('list.n599')
  })

  it('reports a lost target in a separate suite, with the request and the command', () => {
    const lost = { place: 'a.b', message: 'gone', lost: true, curl: [`curl ${nasty}`], again: 'npx again' }
    const { testsuite, ...whole } = parse(junitReport({ ...report, errors: [lost, ...report.errors] }))
    expect(whole['@errors']).toBe('2')
    const [suite, other] = testsuite.slice(-2)
    expect([suite?.['@name'], other?.['@name']]).toEqual([
      'the target stopped responding',
      'errors in the suite (not in the server)',
    ])
    expect([suite?.['@errors'], other?.['@errors']]).toEqual(['1', '1'])
    const error = suite?.testcase[0]?.error
    expect(error).toMatchObject({ '@message': 'gone', '@type': 'the target stopped responding' })
    expect(error?.['#text']).toMatch(/^gone\n\$ curl [\s\S]*\nreplay {4}npx again$/)
  })

  it('counts the cases of each suite', () => {
    for (const suite of parsed.testsuite) {
      const count = (part: 'failure' | 'skipped' | 'error') =>
        String(suite.testcase.filter((each) => part in each).length)
      expect([suite['@tests'], suite['@failures'], suite['@skipped'], suite['@errors']]).toEqual([
        String(suite.testcase.length),
        count('failure'),
        count('skipped'),
        count('error'),
      ])
    }
  })

  it('shows a failure with everything needed to reproduce it', () => {
    const failure = cases.get('list.total-pages')?.failure
    expect(failure?.['@type']).toBe('MUST')
    for (const part of ['section 2.4', 'expected', 'received', '$ curl', 'npx conformance --seed 7'])
      expect(failure?.['#text']).toContain(part)
  })

  it('skips what the baseline lists, with its reason', () => {
    expect(cases.get('list.page')?.skipped?.['@message']).toContain('known: ')
  })

  it('passes a warning, and shows it', () => {
    const warned = cases.get('batch.order')
    expect([warned?.failure, warned?.skipped]).toEqual([undefined, undefined])
    expect(warned?.['system-out']).toContain('warning: ')
  })

  it('keeps hostile text as text, without characters that XML forbids', () => {
    const xml = junitReport(report)
    expect(xml).not.toContain('<script>')
    for (const sign of unspeakable) expect(xml).not.toContain(sign)
    expect(cases.get('list.total-pages')?.failure?.['#text']).toContain(visible(nasty))
  })

  it('names each requirement’s place', () => {
    const properties = cases.get('list.total-pages')?.properties?.property ?? []
    const values = Object.fromEntries(properties.map((each) => [each['@name'], each['@value']]))
    expect(values).toMatchObject({ source: '2.4', basis: 'stated', level: 'MUST' })
  })

  it('is complete if nothing was judged', () => {
    const empty = parse(junitReport({ ...report, findings: [], errors: [] }))
    expect(empty['@tests']).toBe('0')
  })

  it('keeps a line break of an attribute', () => {
    const xml = junitReport({
      ...report,
      findings: [sampleFinding('a.b', 'blocked', { message: 'one\ntwo' })],
    })
    expect(xml).toContain('blocked: one&#10;two')
  })

  it('is red if the run fails for a reason that no case shows', () => {
    const findings = [
      sampleFinding('list.shape', 'pass'),
      sampleFinding('batch.order', 'warn', { level: 'SHOULD' }),
      sampleFinding('list.page', 'warn', { known: { reason: nasty } }),
    ]
    const problems = [`list.shape is listed as known, but passes: ${nasty}`, 'b']
    const failing = { ...report, findings, errors: [], strict: true }
    const whole = parse(junitReport({ ...failing, baseline: { file: 'known.yaml', known: 1, problems } }))
    expect(whole).toMatchObject({ '@tests': '6', '@failures': '3', '@errors': '0', '@skipped': '1' })
    const last = whole.testsuite.at(-1)
    expect(last).toMatchObject({ '@name': 'verdict', '@tests': '3', '@failures': '3', '@skipped': '0' })
    expect(last?.testcase.map((each) => [each['@name'].split(' ')[0], each.failure?.['@type']])).toEqual([
      ['batch.order', 'SHOULD'],
      ['list.shape', 'baseline'],
      ['b', 'baseline'],
    ])
    expect(last?.testcase.at(-1)?.failure?.['#text']).toContain('known.yaml')
  })

  it('is red if too little could be judged', () => {
    const lines = ['document: conformant 1/1 (1 untestable)', 'incomplete: 1 of 2 could not be judged']
    const verdict = { ...report.verdict, outcome: 'incomplete' as const, exitCode: 3 as const, lines }
    const findings = [sampleFinding('list.shape', 'pass'), sampleFinding('otp.once', 'untestable')]
    const whole = parse(junitReport({ ...report, findings, errors: [], verdict }))
    expect(whole).toMatchObject({ '@tests': '3', '@failures': '1', '@errors': '0', '@skipped': '1' })
    const [reported] = whole.testsuite.at(-1)?.testcase ?? []
    expect(reported?.failure?.['@message']).toBe('incomplete: 1 of 2 could not be judged')
    expect(reported?.failure?.['#text']).toContain('document: conformant 1/1')
  })

  it('names leftovers and records that were left alone, without a failure', () => {
    const record = { table: 'notes', id: 'abc', reason: nasty }
    const xml = junitReport({ ...report, errors: [], leftovers: [record], foreign: [record] })
    const suite = parse(xml).testsuite.find((each) => each['@name'] === 'after the run')
    expect(suite).toMatchObject({ '@tests': '3', '@failures': '0', '@errors': '0' })
    const strings = suite?.testcase.map((each) => each['system-out']) ?? []
    expect(strings[0]).toMatch(/^1 record remains on the target/)
    expect(strings.slice(1).every((text) => text?.startsWith('notes/abc: '))).toBe(true)
  })

  it('has no suite for the verdict if warnings do not count, or the run itself failed', () => {
    const findings = [sampleFinding('batch.order', 'warn', { level: 'SHOULD' })]
    const names = (more: Partial<RunReport>) =>
      parse(junitReport({ ...report, findings, errors: [], ...more })).testsuite.map((each) => each['@name'])
    expect(names({})).toEqual(['batch'])
    expect(names({ strict: true })).toEqual(['batch', 'verdict'])
    expect(names({ strict: true, verdict: { ...report.verdict, outcome: 'error' } })).toEqual(['batch'])
  })
})
