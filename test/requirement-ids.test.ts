import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { loadSuites, type SuiteCheck } from '../harness/planning/suites.ts'
import { projectTexts } from '../scripts/traceability/project-texts.ts'
import { loadRequirements } from '../spec/requirements.ts'

/** Reports, baselines and command lines of others hold ids: one that is renamed or lost breaks them silently. */
test('ids are frozen', async () => {
  const files = projectTexts(['.yaml'], ['spec']).map(({ path, text }) => ({
    path,
    rows: ((parse(text) as { requirements?: { id: string }[] } | null)?.requirements ?? []).map(
      ({ id }) => id,
    ),
  }))
  const text = files
    .filter(({ rows }) => rows.length > 0)
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .map(
      ({ path, rows }) =>
        `${path}\n${rows
          .sort()
          .map((id) => `  ${id}\n`)
          .join('')}`,
    )
    .join('\n')
  await expect(text).toMatchFileSnapshot('./requirement-ids.snap.txt')
})

describe('checks', () => {
  let checks: readonly SuiteCheck[]

  // Through `loadSuites` alone: a suite file is evaluated once in a process, which this file shares with others.
  beforeAll(async () => {
    checks = await loadSuites()
  }, 60_000)

  test('every requirement has a check', () => {
    const checked = new Set(checks.map(({ id }) => id))
    expect([...loadRequirements().keys()].filter((id) => !checked.has(id))).toEqual([])
  })

  test('every check is of a requirement that exists', () => {
    expect(checks.filter(({ id }) => !loadRequirements().has(id))).toEqual([])
  })

  test('no requirement has two checks', () => {
    expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length)
  })
})
