/** The build lists all checks, so that a run can be planned without loading them. */

import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { listChecks, loadPlanned, loadSuites } from './suites.ts'

it('the build lists checks in the order in which they are loaded', async () => {
  const noted = readFileSync(new URL('../../dist/suites/index.json', import.meta.url), 'utf8')
  const loaded = await loadSuites()
  expect(loaded.length).toBeGreaterThan(700)
  expect(JSON.parse(noted)).toEqual(loaded.map(({ id, suite }) => ({ id, suite })))
})

it('whether operations exist comes first, and what is about every exchange last', async () => {
  const names = (await loadSuites()).map(({ suite }) => suite.split('/').at(-1))
  const others = names.findIndex((name) => name !== 'operations')
  expect(others).toBeGreaterThan(0)
  expect(names.slice(others)).not.toContain('operations')
  expect(names.slice(names.indexOf('wire')).every((name) => name === 'wire')).toBe(true)
})

it('missing checks are an error, and not skipped', async () => {
  const [known] = await listChecks()
  if (known === undefined) throw new Error('There is no check.')
  await expect(loadPlanned([known, { id: 'no.such', suite: known.suite }])).rejects.toThrow(
    `There is no check of "no.such" in ${known.suite}.`,
  )
})
