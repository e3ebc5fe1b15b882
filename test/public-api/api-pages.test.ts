import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { apiPages } from '../../scripts/api-pages.ts'
import { inFull } from '../../scripts/support/in-full.ts'

const folder = fileURLToPath(new URL('../../docs/api/', import.meta.url))

// TypeDoc takes a while. A change of what the package exports also shows in public-api.test.ts.
test.runIf(inFull)('docs/api/ is what the doc comments say', async () => {
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
