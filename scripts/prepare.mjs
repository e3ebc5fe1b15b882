/**
 * Runs as npm's `prepare`: builds after an install, and before a pack.
 *
 * `npx conformance` in a clone runs it too, since npm then installs the clone into a cache of its own. What is built
 * is there already; building again would cost seconds at every first call, and a failing build would break the cache.
 */

import { execSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const calledByNpx = process.env.npm_command === 'exec'
if (!calledByNpx || !existsSync(new URL('../dist/cli/main.js', import.meta.url))) {
  execSync('npm run build', { stdio: 'inherit' })
}
