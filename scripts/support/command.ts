/**
 * The command as users have it: built. Run from the sources, each start would transform all of them again.
 *
 * @module
 */

import { fileURLToPath } from 'node:url'

/** File to be run by Node. `build-first.ts` sees to it that it is of the present sources. */
export const builtCommand = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
