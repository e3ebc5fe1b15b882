/**
 * Whether `npm run test:full` runs the tests: all cases of what `npm test` runs a part of, and the limits of time that
 * only a quiet machine keeps.
 */
export const inFull = process.env.CONFORMANCE_TEST_FULL === '1'
