import { expect, it } from 'vitest'
import { testsOnBuild } from './uses-build.ts'

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
