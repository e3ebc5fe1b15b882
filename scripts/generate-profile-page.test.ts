import { expect, it } from 'vitest'
import { profilePage, writtenPage } from './generate-profile-page.ts'

it('docs/profile.md is what `npm run generate` writes', async () => {
  expect(await writtenPage()).toBe(profilePage())
})
