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

it('missing checks are an error, and not skipped', async () => {
  const [known] = await listChecks()
  if (known === undefined) throw new Error('There is no check.')
  await expect(loadPlanned([known, { id: 'no.such', suite: known.suite }])).rejects.toThrow(
    `There is no check of "no.such" in ${known.suite}.`,
  )
})
