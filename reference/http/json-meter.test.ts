import { describe, expect, it, test } from 'vitest'
import { fc } from '../../test/support/seeded.ts'
import { defaultLimits } from '../limits/limits.ts'
import { Work } from '../limits/work.ts'
import { type JsonLimits, JsonMeter } from './json-meter.ts'
import { parseBytes, parseJson, parseStrictJson } from './strict-json.ts'

const endless = Number.POSITIVE_INFINITY
const unlimited: JsonLimits = {
  jsonKeys: endless,
  jsonValues: endless,
  jsonDepth: endless,
  numberDigits: endless,
}

function counts(value: unknown): { keys: number; values: number; depth: number } {
  if (typeof value !== 'object' || value === null) return { keys: 0, values: 1, depth: 0 }
  const inner = Object.values(value).map(counts)
  return {
    keys: (Array.isArray(value) ? 0 : inner.length) + inner.reduce((sum, { keys }) => sum + keys, 0),
    values: 1 + inner.reduce((sum, { values }) => sum + values, 0),
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
  }
}

const rejects = (text: string, limits: Partial<JsonLimits>) => {
  const meter = new JsonMeter(Buffer.from(text), { ...unlimited, ...limits })
  try {
    // In small pieces, so that every position is cut once.
    while (meter.look(3));
    return false
  } catch {
    return true
  }
}

test('counts keys and depth exactly, and values at least to a multiple', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), fc.boolean(), (value, spaced) => {
      const text = JSON.stringify(value, undefined, spaced ? 2 : 0)
      const { keys, values, depth } = counts(value)
      expect(rejects(text, { jsonKeys: keys, jsonDepth: depth, jsonValues: values + 1 })).toBe(false)
      if (keys > 0) expect(rejects(text, { jsonKeys: keys - 1 })).toBe(true)
      if (depth > 0) expect(rejects(text, { jsonDepth: depth - 1 })).toBe(true)
      if (values > 3) expect(rejects(text, { jsonValues: Math.floor(values / 2) })).toBe(true)
    }),
  )
})

test.each([
  ['{"a":"{[,:999999"}', false],
  ['"\\"999999"', false],
  ['"\\\\",999999', true],
  ['12345.12345', false],
  ['123456', true],
  ['0.123456', true],
])('digits of %s', (text, rejected) => {
  expect(rejects(text, { numberDigits: 5 })).toBe(rejected)
})

describe('numbers that a double cannot hold, and halves of pairs', () => {
  it.each([
    ['1e400', undefined],
    ['[-1E+999]', undefined],
    ['9'.repeat(400), undefined],
    [`{"a":${'9'.repeat(309)}}`, undefined],
    ['1e5', 100_000],
    [`"${'9'.repeat(400)}"`, '9'.repeat(400)],
    ['"1e400"', '1e400'],
    ['"\\ud800"', '\ufffd'],
    ['"\\uDBFFx"', '\ufffdx'],
    ['"\\ud83d\\udc18"', '\u{1f418}'],
    ['"\\\\ud800"', '\\ud800'],
    ['"\\ud7ff"', '\ud7ff'],
  ])('%s', async (text, expected) => {
    expect(parseJson(text)).toEqual(expected)
    const read = parseBytes(Buffer.from(text), defaultLimits, new Work(defaultLimits))
    if (expected === undefined) await expect(read).rejects.toMatchObject({ status: 400 })
    else expect(await read).toEqual(expected)
  })
})

test('bytes are read in pieces that no character is cut by', async () => {
  const text = JSON.stringify(`${'a'.repeat(1_048_573)}é\u{1f418}\uffff`.repeat(3))
  const work = new Work(defaultLimits)
  expect(await parseBytes(Buffer.from(text), defaultLimits, work)).toBe(JSON.parse(text))
  expect(parseStrictJson(text, defaultLimits)).toBe(JSON.parse(text))
  const broken = Buffer.concat([
    Buffer.from(`"${'a'.repeat(1_048_574)}`),
    Buffer.from([0xf0, 0x9f, 0x90]),
    Buffer.from('"'),
  ])
  await expect(parseBytes(broken, defaultLimits, work)).rejects.toMatchObject({ status: 400 })
})
