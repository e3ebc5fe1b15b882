/**
 * Puts the package's own command where `npx` looks first. Without it, `npx conformance` in a clone makes npm install
 * the clone into a cache of its own, which builds everything once more and breaks when that is interrupted.
 *
 * @module
 */

import { chmodSync, lstatSync, symlinkSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const link = fileURLToPath(new URL('../../node_modules/.bin/conformance', import.meta.url))
chmodSync(fileURLToPath(new URL('../cli/main.js', import.meta.url)), 0o755)
const isThere = lstatSync(link, { throwIfNoEntry: false }) !== undefined
// Windows starts commands by files of another kind; npm's own way, slower, works there.
if (!isThere && process.platform !== 'win32') symlinkSync('../../dist/cli/main.js', link)
