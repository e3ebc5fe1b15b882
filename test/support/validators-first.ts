/**
 * Runs before tests that use nothing of `dist`: compiles the validators, all that the sources need of a build, where the
 * description, or how it is compiled, has changed since.
 *
 * @module
 */

import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hasNewer } from '../../scripts/support/build-first.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** What `scripts/compile-validators.ts` writes last. */
const compiled = join(root, 'spec/generated/shapes.js')

/** What vitest calls. */
export function setup(): void {
  const since = existsSync(compiled) ? statSync(compiled).mtimeMs : 0
  const script = statSync(join(root, 'scripts/compile-validators.ts')).mtimeMs
  if (script > since || hasNewer(join(root, 'spec'), since))
    execFileSync(process.execPath, ['--import', 'tsx', 'scripts/compile-validators.ts'], {
      cwd: root,
      stdio: 'inherit',
    })
}
