/**
 * Runs before the tests that use the package as it is installed: packs and installs it, once for all of them.
 *
 * @module
 */

import { execFile } from 'node:child_process'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'

const exec = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder in which `package` or `failed` appears: the installed package, or a file that says why there is none. */
    installed: string
  }
}

/** What vitest calls. Other tests need not wait for the installation: `installPackage()` does. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'installed-'))
  project.provide('installed', folder)
  const installing = install(folder).catch((error: Error) => writeFile(join(folder, 'failed'), error.message))
  return async () => {
    await installing
    await rm(folder, { recursive: true, force: true })
  }
}

/** Packs what is built in `dist` and installs it. Takes some seconds, and the npm registry. */
async function install(folder: string): Promise<void> {
  const making = await mkdtemp(join(folder, 'making-'))
  const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', making]
  const { stdout } = await exec('npm', pack, { cwd: root })
  // npm 10 prints a list, npm 11 and later an object by package name.
  const packed = JSON.parse(stdout) as { filename: string }[] | Record<string, { filename: string }>
  const [tarball] = Object.values(packed)
  if (!tarball) throw new Error(`npm pack named no tarball: ${stdout}`)
  await writeFile(join(making, 'package.json'), '{"private":true,"type":"module"}')
  await exec(
    'npm',
    ['install', '--prefer-offline', '--no-audit', '--no-fund', join(making, tarball.filename)],
    { cwd: making },
  )
  // At once, so that no test finds half of it.
  await rename(making, join(folder, 'package'))
}
