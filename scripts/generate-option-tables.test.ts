import { expect, it } from 'vitest'
import { optionPage, optionTables, withOptionTable } from './generate-option-tables.ts'

it.each(optionTables)(
  'docs/$page has the options of $command that `npm run generate` writes',
  async (table) => {
    const page = await optionPage(table.page)
    expect(withOptionTable(page, table)).toBe(page)
    for (const { flags } of table.rows) expect(page).toContain(`| \`${flags}\` | `)
    expect(() => withOptionTable('# Page\n', table)).toThrow(`docs/${table.page} needs the lines`)
  },
)
