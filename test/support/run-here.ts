/**
 * Runs in the process and the thread of the test. What is a property of processes and threads, such as a signal, a crash
 * or two runs at a time, is tested with `run-command.ts`. `vitest.config.ts` finds the tests that import this.
 *
 * @module
 */

export { runConformance } from '../../harness/run.ts'
export { commandInProcess as conformance } from './command-in-process.ts'
