import { expect, it } from 'vitest'
import { servePage, withControlTable } from './generate-control-table.ts'

it('docs/serve.md has the control endpoints that `npm run generate` writes', async () => {
  const page = await servePage()
  expect(withControlTable(page)).toBe(page)
  expect(page).toContain('| `POST /_conformance/token` | `{ table, id?, email?, kind?,')
  expect(() => withControlTable('# Serve\n')).toThrow(/docs\/serve\.md needs the lines/)
})
