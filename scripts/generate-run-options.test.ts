import { expect, it } from 'vitest'
import { optionsPage, runOptionsType, writtenOptions } from './generate-run-options.ts'

it('the type and the page are what `npm run generate` writes', async () => {
  expect(await writtenOptions()).toEqual({ type: runOptionsType(), page: optionsPage() })
})
