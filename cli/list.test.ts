import { expect, it } from 'vitest'
import { commandInProcess } from '../test/support/command-in-process.ts'

it('prints the requirements of a section', async () => {
  const { out } = await commandInProcess(['list', '--only', '2.1'])
  expect(out).toMatch(/^record\.id +MUST +stated +2\.1/m)
})
