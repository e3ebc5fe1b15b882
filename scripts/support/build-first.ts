/**
 * Runs before all tests: builds if the last build is incomplete, or if a source was changed or deleted since, so that no
 * test uses an old command or package.
 *
 * @module
 */

import { execFileSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { lackOfBuild, listIn } from '../build/lack-of-build.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const sources = 'cli exchange harness integrations reference scripts serve spec suites targets validate'

/** What vitest calls. */
export function setup(): void {
  const since = lackOfBuild(root) === undefined ? statSync(listIn(root)).mtimeMs : 0
  const folders = sources.split(' ').map((name) => join(root, name))
  if (folders.some((folder) => hasNewer(folder, since)))
    execFileSync('npm', ['run', 'build'], { cwd: root, stdio: 'inherit' })
}

/** Whether something that is built, or which files there are, has changed in the folder since then. */
export function hasNewer(folder: string, since: number): boolean {
  // A file that was deleted shows nowhere else. A new test builds once for nothing.
  if (statSync(folder).mtimeMs > since) return true
  return readdirSync(folder, { withFileTypes: true }).some((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return hasNewer(path, since)
    return !entry.name.endsWith('.test.ts') && statSync(path).mtimeMs > since
  })
}
