import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { ConfigurationError } from '../errors.ts'
import type { Finding, Status } from '../vocabulary/finding.ts'
import { applyBaseline } from './baseline.ts'
import { parseBaseline } from './read-baseline.ts'
import { updateBaseline } from './update-baseline.ts'

const ids = ['list.page', 'list.items', 'record.id', 'create.persists']
const finding = (requirement: string, status: Status): Finding => ({
  requirement,
  statement: 'It MUST.',
  level: 'MUST',
  basis: 'stated',
  source: '2.4',
  status,
  message: status === 'pass' ? '' : 'it does not',
  exchanges: [],
  curl: [],
  requests: 1,
  ms: 1,
})

describe('a baseline', () => {
  it.each<[string, unknown, RegExp]>([
    ['an unknown id', [{ requirement: 'list.pagee', reason: 'x' }], /did you mean "list\.page"/],
    ['an unknown key', [{ requirement: 'list.page', reson: 'x' }], /did you mean "reason"/],
    ['an unknown status', [{ requirement: 'list.page', reason: 'x', status: 'fial' }], /did you mean "fail"/],
    [
      'what was not judged',
      [{ requirement: 'list.page', reason: 'x', status: 'blocked' }],
      /is not a failure/,
    ],
    ['no reason', [{ requirement: 'list.page', reason: ' ' }], /has no reason/],
    ['two entries for one', [1, 2].map(() => ({ requirement: 'list.page', reason: 'x' })), /listed twice/],
    ['another kind of day', [{ requirement: 'list.page', reason: 'x', expires: 'soon' }], /YYYY-MM-DD/],
    ['something other than a list', { a: 1 }, /not an array/],
  ])('is rejected with %s', (_, known, message) => {
    expect(() => parseBaseline({ known }, 'known.yaml', ids)).toThrow(message)
  })

  it.each<[string, Status, object, RegExp | undefined]>([
    ['a failure', 'fail', {}, undefined],
    ['a warning', 'warn', {}, undefined],
    ['what passes', 'pass', {}, /but passes/],
    ['what does not apply', 'not-applicable', {}, /but is not-applicable/],
    ['another status', 'warn', { status: 'fail' }, /listed as fail, but is warn/],
    ['what has expired', 'fail', { expires: '2026-01-01' }, /until 2026-01-01/],
    ['what expires today', 'fail', { expires: '2026-01-02' }, undefined],
  ])('about %s', (_, status, more, problem) => {
    const entry = { requirement: 'list.page', reason: 'known', ...more }
    const outcome = applyBaseline([finding('list.page', status)], [entry], '2026-01-02')
    if (problem === undefined) {
      expect(outcome).toMatchObject({ known: 1, problems: [] })
      expect(outcome.findings[0]?.known).toMatchObject({ reason: 'known' })
    } else {
      expect(outcome.known).toBe(0)
      expect(outcome.problems).toEqual([expect.stringMatching(problem)])
      expect(outcome.findings[0]?.known).toBeUndefined()
    }
  })

  it('keeps an entry about a requirement that is only observed in this run', () => {
    const entry = { requirement: 'list.page', reason: 'known' }
    const outcome = applyBaseline([finding('list.page', 'observed')], [entry], '2026-01-02')
    expect(outcome).toMatchObject({ known: 0, problems: [] })
  })

  it.each<Status>(['blocked', 'untestable'])('does not know what is %s, and keeps its entry', (status) => {
    const found = [finding('list.page', status)]
    const entry = { requirement: 'list.page', reason: 'known', status: 'fail' } as const
    const outcome = applyBaseline(found, [entry], '2026-01-02')
    expect(outcome).toMatchObject({ known: 0, problems: [] })
    expect(outcome.findings[0]?.known).toBeUndefined()
    const text = 'known:\n  - requirement: list.page\n    status: fail\n    reason: known\n'
    expect(updateBaseline(text, found, ids, 'known.yaml')).toEqual({ text, added: [], removed: [] })
  })

  it('keeps an entry for a flaky failure, whether it occurs or not', () => {
    const text = 'known:\n  - requirement: list.page\n    reason: a race\n    sometimes: true\n'
    const entries = parseBaseline(parse(text), 'known.yaml', ids)
    for (const [status, known] of [
      ['pass', 0],
      ['fail', 1],
    ] as const) {
      const found = [finding('list.page', status)]
      expect(applyBaseline(found, entries, '2026-01-01')).toMatchObject({ problems: [], known })
      expect(updateBaseline(text, found, ids, 'known.yaml')).toMatchObject({ text, removed: [] })
    }
    const other = [{ requirement: 'list.page', reason: 'x', sometimes: 'yes' }]
    expect(() => parseBaseline({ known: other }, 'known.yaml', ids)).toThrow(/use true/)
  })

  it('that lists what was not checked is stale, unless it was not selected', () => {
    const entry = { requirement: 'list.page', reason: 'known' }
    expect(applyBaseline([], [entry], '2026-01-02').problems).toHaveLength(1)
    expect(applyBaseline([], [entry], '2026-01-02', () => false).problems).toEqual([])
  })
})

describe('an update of a baseline', () => {
  const file = 'known.yaml'
  const before = [
    '# ours',
    'known:',
    '  # the pages',
    '  - requirement: list.page # since March',
    '    status: warn',
    '    reason: it counts from 0',
    '    issue: https://example.com/1',
    '  - { requirement: record.id, reason: mended }',
    '  - { requirement: list.gone, reason: renamed }',
    '',
  ].join('\n')
  const findings = [
    finding('list.page', 'fail'),
    finding('record.id', 'pass'),
    finding('create.persists', 'fail'),
    finding('list.items', 'not-applicable'),
  ]

  it('adds what fails, removes what does not, and keeps comments and reasons', () => {
    const { text, added, removed } = updateBaseline(before, findings, ids, file)
    expect([added, removed]).toEqual([['create.persists'], ['record.id', 'list.gone']])
    for (const kept of [
      '# ours',
      '# the pages',
      '# since March',
      'it counts from 0',
      'https://example.com/1',
    ])
      expect(text).toContain(kept)
    const { known } = parse(text) as { known: Record<string, string>[] }
    expect(known.map(({ requirement, status }) => [requirement, status])).toEqual([
      ['list.page', 'fail'],
      ['create.persists', 'fail'],
    ])
    expect(updateBaseline(text, findings, ids, file)).toMatchObject({ text, added: [], removed: [] })
  })

  it('adds nothing that was not judged, and removes entries about it', () => {
    const open = [finding('list.page', 'blocked'), finding('list.items', 'untestable')]
    expect(updateBaseline('', open, ids, file).added).toEqual([])
    const old = 'known:\n  - { requirement: list.page, status: untestable, reason: x }\n'
    expect(updateBaseline(old, open, ids, file).removed).toEqual(['list.page'])
  })

  it('adds warnings only if requested', () => {
    const warned = [finding('list.page', 'warn'), finding('list.items', 'fail')]
    expect(updateBaseline('', warned, ids, file, ['fail']).added).toEqual(['list.items'])
    expect(updateBaseline('', warned, ids, file).added).toEqual(['list.page', 'list.items'])
  })

  it('writes a file that can be read again', () => {
    const { text } = updateBaseline('', findings, ids, file)
    expect(parseBaseline(parse(text), 'new.yaml', ids)).toHaveLength(2)
  })

  it('rejects invalid YAML', () => {
    expect(() => updateBaseline('known: [', findings, ids, file)).toThrow(
      /a syntax error[\s\S]*known\.yaml:1:9/,
    )
  })

  it.each<[string, string, RegExp]>([
    [
      'a map for the list',
      'known:\n  list.page: { reason: x }\n',
      /"known" is not an array[\s\S]*known\.yaml/,
    ],
    ['an entry that is none', 'known:\n  - list.page\n', /not an object[\s\S]*known\.yaml, entry 1/],
    ['an entry about nothing', 'known:\n  - { reason: x }\n', /has no requirement/],
    ['an entry without a reason', 'known:\n  - { requirement: list.page }\n', /has no reason/],
    [
      'an alias',
      'known:\n  - &a { requirement: list.page, reason: x }\n  - *a\n',
      /has an alias, \*a[\s\S]*replace it/,
    ],
    ['an alias to nothing', 'known:\n  - { requirement: list.page, reason: *b }\n', /alias/],
    [
      'a merge',
      'known:\n  - &a { requirement: list.page, reason: x }\n  - { <<: *a, requirement: record.id }\n',
      /has an alias, \*a/,
    ],
  ])('rejects %s, as a run does, and does not overwrite it', (_name, text, message) => {
    const update = () => updateBaseline(text, findings, ids, file)
    expect(update).toThrow(ConfigurationError)
    expect(update).toThrow(message)
  })

  it('adds only ids that exist, once', () => {
    const odd = ['list.gone', 'list.page', 'list.page'].map((id) => finding(id, 'fail'))
    const { text, added } = updateBaseline('', odd, ids, file)
    expect(added).toEqual(['list.page'])
    expect(parseBaseline(parse(text), file, ids)).toHaveLength(1)
  })
})
