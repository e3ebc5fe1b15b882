import { expect, it } from 'vitest'
import { targetsPage, withDerivedTable } from './generate-derived-table.ts'

it('docs/targets.md has the numbers of derived requests that `npm run generate` writes', async () => {
  const page = await targetsPage()
  expect(withDerivedTable(page)).toBe(page)
  expect(page).toMatch(/^\| `createRecord` \| \d+ \| /m)
  expect(() => withDerivedTable('# Targets\n')).toThrow(/docs\/targets\.md needs the lines/)
})
