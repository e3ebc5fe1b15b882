/**
 * Gives the tests that use the package as it is installed one folder for all of them: the first that needs it packs and
 * installs it there (`installed-package.ts`).
 *
 * @module
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder in which `package` or `failed` appears: the installed package, or a file that says why there is none. */
    installed: string
  }
}

/** What vitest calls, also for runs in which no test needs the package. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'installed-'))
  project.provide('installed', folder)
  return () => rm(folder, { recursive: true, force: true })
}
