/**
 * The package as a user gets it: packed, and installed into an empty folder.
 *
 * @module
 */

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import {
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { inject } from 'vitest'
import { userEnvironment } from '../../scripts/support/user-environment.ts'

const exec = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))

export interface Ended {
  code: number
  stdout: string
  stderr: string
}

export interface InstalledPackage {
  folder: string
  /** Runs a command in the folder to its end, without colors, a terminal or anything of vitest in its environment. */
  run(command: string, args: string[], env?: Record<string, string>): Promise<Ended>
  remove(): Promise<void>
}

/**
 * A folder of its own with the package, which the first test that needs it packs and installs for all. Its files are hard
 * links: replace them, do not write into them.
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
  const folder = inject('installed')
  const [installed, failed] = [join(folder, 'package'), join(folder, 'failed')]
  // Of all who come, in whatever process, one makes this folder.
  const isFirst = await mkdir(join(folder, 'begun')).then(
    () => true,
    () => false,
  )
  if (isFirst) await install(folder).catch((error: Error) => writeFile(failed, error.message))
  while (!existsSync(installed)) {
    if (existsSync(failed))
      throw new Error(`The package was not installed: ${await readFile(failed, 'utf8')}`)
    await sleep(100)
  }
  return installed
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
    [
      ...['install', '--prefer-offline', '--no-audit', '--no-fund', join(making, tarball.filename)],
      // What readers of a snippet bring: the test runner, and its environments for front-end applications.
      ...['vitest@4', 'jsdom@29', 'happy-dom@21'],
    ],
    { cwd: making },
  )
  // At once, so that no test finds half of it.
  await rename(making, join(folder, 'package'))
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
