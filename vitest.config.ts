import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** One more than there are cores: many of these tests wait, for a time limit, a process or a registry. */
const workers = availableParallelism() + 1

/** Use the package as its users do, each in a folder of its own: mostly one core each. */
const installed = [
  'test/{packed,packed-types,docs,action,conformance-tests}.test.ts',
  'test/serve/packed.test.ts',
]

/** Use every core by themselves, drive a browser or run test runners: each of these gets the machine for itself. */
const alone = [
  'test/{faults,liars,variations,variation-combinations}.test.ts',
  'test/{console,report}/**/*.test.ts',
  'test/examples/runners.test.ts',
]

/**
 * Change or measure their process: its environment, its timers, its streams, what it holds and what it costs. Each of
 * these gets a process of its own. All others share what they import, which took longer than most of them.
 */
const ownProcess = [
  'cli/program.test.ts',
  'harness/own-headers.test.ts',
  'harness/target/{equip,hook-channel,others}.test.ts',
  'harness/wire/{stop-while-waiting,transport}.test.ts',
  'serve/recording-queue.test.ts',
  'test/{leaks,ended-runs,lawful-servers,generated-faults}.test.ts',
  'test/hostile/*.test.ts',
  'test/reference-use/{faults-and-log,state,time-and-chance}.test.ts',
  'test/validate/{hostile,proxy,proxy-streams,traffic,suite-traffic}.test.ts',
  'test/validate/integrations/{clients,conforming-fetch,middlewares,undici}.test.ts',
]

/** Need a server that is not part of the project: `npm run test:living` runs them. */
const living = ['test/living/**']

const all =
  '{spec,exchange,reference,suites,integrations,cli,harness,serve,validate,targets,proofs,scripts,test}/**/*.test.ts'

export default defineConfig({
  test: {
    environment: 'node',
    // Ample for a busy machine: none of these tests is about how long it takes.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    globalSetup: './test/support/build-first.ts',
    projects: [
      // In the order in which their files are begun: the longest first.
      {
        extends: true,
        test: {
          name: '1 users',
          globalSetup: './test/support/install-first.ts',
          maxWorkers: workers,
          include: installed,
        },
      },
      {
        extends: true,
        test: {
          name: '2 rooms',
          maxWorkers: workers,
          include: ownProcess,
          exclude: [...alone, ...installed],
        },
      },
      {
        extends: true,
        test: {
          name: '3 parts',
          maxWorkers: workers,
          isolate: false,
          include: [all],
          exclude: [...ownProcess, ...alone, ...installed, ...living],
        },
      },
      {
        extends: true,
        test: { name: '4 house', include: alone, fileParallelism: false, sequence: { groupOrder: 1 } },
      },
    ],
  },
})
