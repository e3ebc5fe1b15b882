import { expect, it } from 'vitest'
import { sampleFinding } from '../../test/support/sample-report.ts'
import { entryText, findingEntry } from './entry.ts'
import { findingHtml } from './finding-html.ts'
import { fileLimits, screenLimits } from './limits.ts'

it('holds what the requirement of a failure notes, in every format, and nothing of one that passed', () => {
  const failed = sampleFinding('list.filter-narrows', 'fail')
  const note = 'The form of a condition is a binding (filter.equals)'
  const entry = findingEntry(failed, fileLimits)
  expect(entryText(entry)).toContain(`note      ${note}`)
  expect(findingHtml(entry, true)).toContain(`<p>Note: ${note}`)
  const passed = findingEntry({ ...failed, status: 'pass' }, fileLimits)
  expect(passed.facts.map(({ label }) => label)).not.toContain('note')
  expect(findingHtml(passed, true)).not.toContain('Note:')
})

it('shortens values and leaves out requests where the medium has no room, but none of a counterexample', () => {
  const curl = Array.from({ length: 11 }, (_, at) => `curl http://h/${at}`)
  const finding = sampleFinding('list.page', 'fail', { received: `a\n${'b'.repeat(500)}`, curl })
  const received = (limits: typeof screenLimits) =>
    findingEntry(finding, limits).facts.find(({ label }) => label === 'received')?.text
  expect(received(fileLimits)).toBe(finding.received)
  expect(received(screenLimits)).toBe(`a ${'b'.repeat(398)}…`)
  const { earlier, ...shown } = findingEntry({ ...finding, replay: undefined }, screenLimits)
  expect([shown.curl.length, shown.curl.at(-1), earlier]).toEqual([8, 'curl http://h/10', 3])
  expect(findingEntry(finding, screenLimits).curl).toHaveLength(11)
})

it('shows an earlier line only if a shown one needs a variable that it sets', () => {
  const capturing = (n: string) =>
    `RESPONSE=$(curl http://h/a${n}); echo "$RESPONSE"; ID${n}=$(echo "$RESPONSE" | x); TOKEN${n}=$(echo "$RESPONSE" | y)`
  const others = Array.from({ length: 20 }, (_, at) => `curl http://h/${at}`)
  const shown = (...last: string[]) => {
    const curl = [capturing(''), ...others, capturing('_2'), ...last]
    const finding = sampleFinding('list.page', 'fail', { curl })
    return findingEntry({ ...finding, replay: undefined }, { ...screenLimits, requests: 3 }).curl.length
  }
  expect(shown(`curl http://h/'"$ID_2"`)).toBe(3)
  expect(shown(...others.slice(0, 4), `curl http://h/"$ID_2"`)).toBe(6)
  expect(shown(`curl http://h/"$TOKEN"`)).toBe(23)
})

it('counts lines that follow each other and are the same', () => {
  const entry = findingEntry(
    sampleFinding('list.page', 'fail', { curl: ['curl a', 'curl b', 'curl b'] }),
    fileLimits,
  )
  expect(entryText(entry)).toMatch(/^\$ curl a\n\$ curl b {2}# 2 times$/m)
})
