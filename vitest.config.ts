import { defineConfig } from 'vitest/config'

/** Install the packed package and use it as its users do, each in a folder of its own: mostly one core each. */
const installed = ['test/{packed,packed-types,docs}.test.ts', 'test/serve/packed.test.ts']

/** Keep nothing between files, so these share what they import: nearly all their time went into importing it anew. */
const pure = ['{spec,reference,suites}/**/*.test.ts']

/** Use every core by themselves, drive a browser or run test runners: each of these gets the machine for itself. */
const alone = ['test/faults.test.ts', 'test/{console,report,examples}/**/*.test.ts']

/** Need a server that is not part of the project: `npm run test:living` runs them. */
const living = ['test/living/**']

export default defineConfig({
  test: {
    environment: 'node',
    // Ample for a busy machine: none of these tests is about how long it takes.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    globalSetup: './test/support/build-first.ts',
    projects: [
      {
        extends: true,
        test: { name: 'parts', maxWorkers: '100%', isolate: false, include: pure },
      },
      {
        extends: true,
        test: {
          name: 'rooms',
          maxWorkers: '100%',
          include: [
            '{integration,cli,harness,services,serve,console,validate,targets,faults,scripts,test}/**/*.test.ts',
          ],
          exclude: [...alone, ...installed, ...living],
        },
      },
      {
        extends: true,
        test: {
          name: 'house',
          include: alone,
          exclude: [...installed, ...living],
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'users',
          include: installed,
          exclude: living,
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
