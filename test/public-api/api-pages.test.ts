import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { apiPages } from '../../scripts/api-pages.ts'

const folder = fileURLToPath(new URL('../../docs/api/', import.meta.url))

test('docs/api/ is what the doc comments say', async () => {
  const made = await apiPages()
  const written = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  )
  expect(written.sort(), 'npm run docs:api').toEqual([...made.keys()].sort())
  for (const [path, text] of made)
    expect(
      readFileSync(folder + path, 'utf8') === text,
      `docs/api/${path} is out of date: npm run docs:api`,
    ).toBe(true)
})
