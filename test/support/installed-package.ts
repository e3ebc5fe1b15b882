/**
 * The package as a user gets it: packed, and installed into an empty folder.
 *
 * @module
 */

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { link, mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { inject } from 'vitest'
import { userEnvironment } from './user-environment.ts'

const exec = promisify(execFile)

export interface Ended {
  code: number
  stdout: string
  stderr: string
}

export interface InstalledPackage {
  folder: string
  /** Runs a command in the folder to its end, without colours, a terminal or anything of vitest in its environment. */
  run(command: string, args: string[], env?: Record<string, string>): Promise<Ended>
  remove(): Promise<void>
}

/**
 * A folder of its own with the package that `install-first.ts` packed and installed. Its files are hard links: replace
 * them, do not write into them.
 */
export async function installPackage(): Promise<InstalledPackage> {
  const installed = await whenInstalled()
  const folder = await mkdtemp(join(tmpdir(), 'packed-'))
  await linkFolder(installed, folder)

  return {
    folder,
    async run(command, args, env = {}) {
      const options = { cwd: folder, env: { ...userEnvironment(), ...env }, maxBuffer: 64e6 }
      try {
        const { stdout, stderr } = await exec(command, args, options)
        return { code: 0, stdout, stderr }
      } catch (error) {
        const { code, stdout, stderr } = error as Ended
        return { code, stdout, stderr }
      }
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

async function whenInstalled(): Promise<string> {
  const installed = join(inject('installed'), 'package')
  const failed = join(inject('installed'), 'failed')
  while (!existsSync(installed)) {
    if (existsSync(failed))
      throw new Error(`The package was not installed: ${await readFile(failed, 'utf8')}`)
    await sleep(100)
  }
  return installed
}

/** Fills an empty folder. Links within the folder stay such: those of `node_modules/.bin` are relative. */
async function linkFolder(from: string, to: string): Promise<void> {
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isSymbolicLink()) await symlink(await readlink(source), target)
    else if (entry.isDirectory()) {
      await mkdir(target)
      await linkFolder(source, target)
    } else await link(source, target)
  }
}
