import { expect, it } from 'vitest'
import { pageFile, typeFile } from './generate-run-options.ts'

it('the type and the page are what `npm run generate` writes', async () => {
  expect(await typeFile.written()).toBe(typeFile.expected())
  expect(await pageFile.written()).toBe(pageFile.expected())
})
