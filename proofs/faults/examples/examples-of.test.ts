import { expect, it } from 'vitest'
import { shortBody } from './examples-of.ts'

const body = (change: Record<number, string>, created: string) => {
  const items = Array.from({ length: 20 }, (_, at) => ({
    id: `record-${at}`,
    title: change[at] ?? `The title ${at}`,
    created,
  }))
  return `${JSON.stringify({ items, totalItems: 20 })}\n`
}
const [morning, evening] = ['2026-11-28 09:08:06.748Z', '2026-11-28 19:08:06.748Z']
const shown = (text: string) =>
  (JSON.parse(text) as { items: unknown[] }).items.map((each) =>
    typeof each === 'string' ? each : (each as { id: string }).id,
  )

it('keeps the first elements of a long list', () => {
  expect(shown(shortBody(body({}, morning)))).toEqual(['record-0', 'record-1', '… 18 more'])
  expect(shown(shortBody(body({}, morning), body({}, evening)))).toEqual([
    'record-0',
    'record-1',
    '… 18 more',
  ])
})

it('keeps the first element in which it differs from the other body', () => {
  const [one, other] = [body({ 7: 'before' }, morning), body({ 7: 'after' }, evening)]
  expect(shown(shortBody(one, other))).toEqual(['record-0', '… 6 more', 'record-7', '… 12 more'])
  expect(shortBody(one, other)).toContain('before')
  expect(shown(shortBody(body({ 19: 'last' }, morning), other))).toContain('record-7')
})
