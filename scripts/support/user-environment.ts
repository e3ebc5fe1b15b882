/**
 * The environment of a user: this process runs inside vitest, theirs does not.
 *
 * @module
 */

/** Without colors, a terminal or anything of vitest and of this project. */
export function userEnvironment(): NodeJS.ProcessEnv {
  const ours = /^(VITEST|NODE_ENV$|TEST$|NODE_OPTIONS$|CONFORMANCE_)/
  const entries = Object.entries(process.env).filter(([name]) => !ours.test(name))
  return { ...Object.fromEntries(entries), NO_COLOR: '1', CI: 'true' }
}
