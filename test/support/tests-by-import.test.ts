import { expect, it } from 'vitest'
import { testsOnBuild, testsWithRunsHere } from './tests-by-import.ts'

it('finds the tests that run the built command or read what is built, and no other', () => {
  const found = testsOnBuild(['cli', 'harness', 'test'])
  expect(found).toEqual(
    expect.arrayContaining([
      'cli/cli.test.ts',
      'harness/planning/suites.test.ts',
      'test/targets/concurrent-runs.test.ts',
    ]),
  )
  expect(found).not.toContain('cli/init.test.ts')
  expect(found).not.toContain('test/openapi/openapi.test.ts')
})

it('finds the tests whose runs stay in their process, also where some of their commands do not', () => {
  const found = testsWithRunsHere(['cli', 'harness', 'test'])
  expect(found).toEqual(
    expect.arrayContaining(['test/targets/address-alone.test.ts', 'test/newcomer/half-built.test.ts']),
  )
  expect(found).not.toContain('cli/cli.test.ts')
  expect(testsOnBuild(['test']).filter((path) => found.includes(path))).toEqual([])
})
