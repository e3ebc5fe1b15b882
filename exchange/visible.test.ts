import { describe, expect, it } from 'vitest'
import { htmlReport } from '../harness/report/html.ts'
import { jsonReport } from '../harness/report/json.ts'
import { junitReport } from '../harness/report/junit.ts'
import { markdownReport } from '../harness/report/markdown.ts'
import { createPaint } from '../harness/report/paint.ts'
import { reportLines } from '../harness/report/terminal.ts'
import { sampleReport } from '../test/support/sample-report.ts'
import { fc } from '../test/support/seeded.ts'
import { hasInvisible, visible, visibleIn, visibleJson } from './visible.ts'

it('shows what would steer a terminal or turn a line around', () => {
  expect(visible('a\u001b]0;x\u0007\u009b\u007f\u202e\u2066\nb — ü 漢')).toBe(
    'a\\x1b]0;x\\x07\\x9b\\x7f\\u202e\\u2066\nb — ü 漢',
  )
})

it.each([
  ['bidirectional controls', '\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069'],
  [
    'what takes no width',
    '\u00ad\u034f\u180e\u200b\u200c\u200d\u2060\u2061\u2064\ufe0f\ufeff\u{e0041}\u{e0100}',
  ],
  ['blanks that are no spaces', '\u00a0\u115f\u2003\u202f\u2800\u3000\u3164\uffa0'],
  ['ends of lines that are none', '\r\u000b\u000c\u0085\u2028\u2029'],
  ['controls', '\u0000\u0008\u001b\u007f\u009b'],
  ['what is no character', '\udfff\ud800\ufffe\uffff\u{1ffff}'],
])('escapes %s', (_, signs) => {
  for (const sign of signs) {
    expect(hasInvisible(sign)).toBe(true)
    expect(visible(`a${sign}b`)).toMatch(/^a\\(x[0-9a-f]{2}|u[0-9a-f]{4}|u\{[0-9a-f]{5}\})b$/)
    expect(visibleJson([`a${sign}b`])).toMatch(/^\["a(\\u[0-9a-f]{4}){1,2}b"\]$|^\["a\\[bfr]b"\]$/)
    expect(JSON.parse(visibleJson({ [sign]: sign }))).toEqual({ [sign]: sign })
  }
})

it('keeps visible characters: letters, marks, signs, tabs and line breaks', () => {
  const seen = 'Ab\tc\nd é e\u0301 漢字 ひ 한 ع א ไ 👩 €\u{1d11e}�'
  expect([visible(seen), hasInvisible(seen)]).toEqual([seen, false])
})

it('returns JSON of the same value without invisible characters', () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ stringUnit: fc.constantFrom(...'a"\\\u202e\0\u{e0041}é\n\u00a0') }),
      fc.constantFrom(undefined, 2),
      (value, indent) => {
        const text = visibleJson(value, indent)
        expect(hasInvisible(text)).toBe(false)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
      },
    ),
  )
})

it('escapes every string in a value, keys included, and keeps the rest', () => {
  expect(visibleIn({ a: ['\u0007', 1, null], b: { '\u0007': '\u0007', d: undefined } })).toEqual({
    a: ['\\x07', 1, null],
    b: { '\\x07': '\\x07', d: undefined },
  })
})

describe('nothing that a server sent is hidden in a report', () => {
  const formats = {
    html: htmlReport,
    json: jsonReport,
    junit: junitReport,
    markdown: markdownReport,
    terminal: (report: ReturnType<typeof sampleReport>) =>
      reportLines(report, { paint: createPaint(false), verbose: true }).join('\n'),
  }
  it.each(Object.entries(formats))('%s', (_, render) => {
    // Our own symbols may have a variation selector.
    const text = render(sampleReport()).replaceAll('\ufe0f', '')
    expect(text.match(/[^\n\t\x20-\x7e\p{L}\p{M}\p{N}\p{P}\p{S}]/gu)).toBeNull()
    expect(text).toContain('\\u202e')
  })
})
