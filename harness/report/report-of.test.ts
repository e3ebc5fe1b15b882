import { expect, it } from 'vitest'
import { notLeftBehind } from './report-of.ts'

it('lists no record both as left behind and as left alone', () => {
  const place = (table: string, id: string) => ({ table, id, reason: 'no view returns it' })
  const others = [place('notes', 'b'), place('users', 'a')]
  expect(notLeftBehind([place('notes', 'a'), ...others], [place('notes', 'a')])).toEqual(others)
})
