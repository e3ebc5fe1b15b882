import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** One more than there are cores: many of these tests wait, for a time limit, a process or a registry. */
const workers = availableParallelism() + 1

/** Install the package, or a clone of it, and use it as its users do, each in a folder of its own: mostly one core each. */
const installed = ['test/{packed,packed-types,docs,action}.test.ts', 'test/serve/packed.test.ts']

/** Keep nothing between files, so these share what they import: nearly all their time went into importing it anew. */
const pure = ['{spec,reference,suites}/**/*.test.ts']

/** Use every core by themselves, drive a browser or run test runners: each of these gets the machine for itself. */
const alone = [
  'test/{faults,generated-faults,liars,variations,variation-combinations,lawful-servers}.test.ts',
  'fuzz/fuzz.test.ts',
  'test/{console,report,examples}/**/*.test.ts',
]

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
        test: { name: 'parts', maxWorkers: workers, isolate: false, include: pure },
      },
      {
        extends: true,
        test: {
          name: 'rooms',
          maxWorkers: workers,
          include: [
            '{integration,cli,fuzz,harness,services,serve,console,validate,targets,faults,liars,variations,scripts,test}/**/*.test.ts',
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
          globalSetup: './test/support/install-first.ts',
          include: installed,
          exclude: living,
          maxWorkers: workers,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
