import { defineConfig } from 'vitest/config'

/** Start processes, install packages, drive a browser or measure: each of these gets the machine for itself. */
const alone = [
  'cli/**/*.test.ts',
  'test/{packed,packed-types,docs,faults,action}.test.ts',
  'test/{serve,console,report,fixtures,examples}/**/*.test.ts',
]

/** Need a server that is not part of the project: `npm run test:living` runs them. */
const living = ['test/living/**']

export default defineConfig({
  test: {
    environment: 'node',
    testTimeout: 20_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'rooms',
          maxWorkers: '100%',
          include: [
            '{spec,reference,integration,harness,suites,services,serve,console,validate,targets,faults,scripts,test}/**/*.test.ts',
          ],
          exclude: [...alone, ...living],
        },
      },
      {
        extends: true,
        test: {
          name: 'house',
          include: alone,
          exclude: living,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
