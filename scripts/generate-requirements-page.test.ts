import { expect, it } from 'vitest'
import { loadRequirements } from '../spec/requirements.ts'
import { requirementsFile } from './generate-requirements-page.ts'

const page = requirementsFile.expected()

it('docs/requirements.md is what `npm run generate` writes', async () => {
  expect(await requirementsFile.written()).toBe(page)
})

it('has every requirement of the document once, below a section with a name', () => {
  const anchors = [...page.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id)
  const stated = [...loadRequirements().values()].filter(({ basis }) => basis !== 'profile')
  expect(anchors.toSorted()).toEqual(stated.map(({ id }) => id).sort())
  expect(page).not.toMatch(/^## Section [\d.]*: $/m)
})

it('links to nothing that it does not have', () => {
  const targets = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, id]) => id)
  expect(targets.filter((id) => !page.includes(`<a id="${id}">`))).toEqual([])
})
