import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { testsOnBuild, testsWithRunsHere } from './test/support/tests-by-import.ts'

/**
 * More than there are cores: many of these tests wait, for a time limit, a process or a registry. Not many more: each worker
 * loads most of the project.
 */
const workers = availableParallelism() + 1

/**
 * For processes that run hundreds of files: most of what a test creates is garbage when it ends, and with more room for
 * young objects V8 collects it less often. Saves 6 % of their processor time.
 */
const longLived = { isolate: false, execArgv: ['--max-semi-space-size=64'] }

/** What runs remember of each other: a server of a test may have the port of one of an earlier day. */
const state = mkdtempSync(join(tmpdir(), 'conformance-state-'))
process.once('exit', () => rmSync(state, { recursive: true, force: true }))

/**
 * Use the package as its users do, each in a folder of its own: mostly one core each. Another one, of a process of its
 * own, uses what is built.
 */
const installed = [
  'test/{main-job,packed,packed-types,docs,action,conformance-tests,dom-environments,bundled-programs}.test.ts',
  'test/serve/packed.test.ts',
  'test/ended-runs.test.ts',
  'test/examples/runners.test.ts',
]

/** Drive a browser: in one file, and therefore the longest. */
const inBrowser = ['test/browser.test.ts']

/**
 * Change or measure their process: its environment, its timers, its streams, its threads, what it holds and what it
 * costs. Each of these gets a process of its own. All others share what they import, which took longer than most of them.
 */
const ownProcess = [
  'cli/program.test.ts',
  'harness/wire/configured-headers.test.ts',
  'harness/engine/engine.test.ts',
  'harness/target/{embedded-thread,equip,offer-hooks,prepare-target}.test.ts',
  'harness/wire/{stop-while-waiting,transport}.test.ts',
  'reference/environment/time-and-random.test.ts',
  'reference/state/snapshots.test.ts',
  'reference/testing/with-log-and-faults.test.ts',
  'serve/recording-queue.test.ts',
  'test/leaks.test.ts',
  'test/hostile/{expensive-requests,hostile}.test.ts',
  'test/validate/suite-traffic.test.ts',
  'validate/hostile-bodies.test.ts',
  'validate/integrations/{assert,conform-interceptor,conforming-fetch,middlewares}.test.ts',
  'validate/proxy/{proxy,proxy-streams}.test.ts',
  'validate/traffic/read-traffic.test.ts',
  // These need Node's own Response, which a library of other tests replaces.
  'integrations/msw.test.ts',
  'reference/environment/replaced-globals.test.ts',
  'reference/http/text-response.test.ts',
]

/** Need a server that is not part of the project: `npm run test:living` runs them. */
const living = ['test/living/**']

/** Next to the code, one module each. */
const code = [
  'spec',
  'exchange',
  'reference',
  'suites',
  'integrations',
  'openapi',
  'cli',
  'harness',
  'serve',
  'validate',
  'targets',
]
const others = ['proofs', 'scripts', 'test']
const testsOf = (folders: string[]) => folders.map((folder) => `${folder}/**/*.test.ts`)
const onBuild = testsOnBuild([...code, ...others])
const withRuns = testsWithRunsHere([...code, ...others])
/** What has a project of its own, whatever it needs of the build. */
const apart = [...withRuns, ...ownProcess, ...inBrowser, ...installed, ...living]
const elsewhere = [...onBuild, ...apart]

// Of the projects, not of all: one test that uses nothing of `dist` begins immediately, whatever has changed.
const build = './scripts/support/build-first.ts'
const validators = './test/support/validators-first.ts'

/** Tests that share processes, in the parts whose start takes as little as it can: what a part needs is built, and no more. */
const sharing = [
  {
    name: '3 built',
    globalSetup: build,
    include: onBuild,
    exclude: apart,
  },
  { name: '4 unit', globalSetup: validators, include: testsOf(code), exclude: elsewhere },
  { name: '5 project', globalSetup: validators, include: testsOf(others), exclude: elsewhere },
]

/** All of these at once. A process cannot be shared between parts, and each loads most of the project. */
const sharingAll = [
  {
    name: '3 shared',
    globalSetup: [build, validators],
    include: testsOf([...code, ...others]),
    exclude: apart,
  },
]

export default defineConfig(({ mode }) => ({
  test: {
    environment: 'node',
    env: { XDG_STATE_HOME: state },
    // A test that asserts nothing cannot fail.
    expect: { requireAssertions: true },
    // Each project compiles what it imports. With this, what another one has compiled is read instead.
    experimental: { fsModuleCache: true },
    // Ample for a busy machine: none of these tests is about how long it takes.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    projects: [
      // In the order in which their files are begun: the longest first.
      {
        extends: true,
        test: {
          name: '0 browser',
          globalSetup: validators,
          maxWorkers: workers,
          include: inBrowser,
        },
      },
      {
        extends: true,
        test: {
          name: '1 installed',
          globalSetup: [build, './test/support/install-first.ts'],
          maxWorkers: workers,
          include: installed,
        },
      },
      {
        extends: true,
        test: {
          name: '2 isolated',
          globalSetup: [build, validators],
          maxWorkers: workers,
          include: ownProcess,
          exclude: installed,
        },
      },
      {
        extends: true,
        test: {
          name: '3 runs',
          globalSetup: [build, validators],
          setupFiles: './test/support/threads-here.ts',
          maxWorkers: workers,
          ...longLived,
          include: withRuns,
          exclude: ownProcess,
        },
      },
      // `npm test` runs with this mode.
      ...(mode === 'all' ? sharingAll : sharing).map((part) => ({
        extends: true as const,
        test: { ...part, maxWorkers: workers, ...longLived },
      })),
    ],
  },
}))
