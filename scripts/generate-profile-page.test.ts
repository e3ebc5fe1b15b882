import { expect, it } from 'vitest'
import { profileFile } from './generate-profile-page.ts'

it('docs/profile.md is what `npm run generate` writes', async () => {
  expect(await profileFile.written()).toBe(profileFile.expected())
})
