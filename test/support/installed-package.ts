/**
 * The package as a user gets it: packed, and installed into an empty folder.
 *
 * @module
 */

import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const exec = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))

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

/** The environment of a user: this process runs inside vitest, theirs does not. */
export function userEnvironment(): NodeJS.ProcessEnv {
  const ours = /^(VITEST|NODE_ENV$|TEST$|NODE_OPTIONS$|CONFORMANCE_)/
  const entries = Object.entries(process.env).filter(([name]) => !ours.test(name))
  return { ...Object.fromEntries(entries), NO_COLOR: '1', CI: 'true' }
}

/** Packs what is built in `dist` and installs it. Takes some seconds, and the npm registry. */
export async function installPackage(): Promise<InstalledPackage> {
  const folder = await mkdtemp(join(tmpdir(), 'packed-'))
  const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  const { stdout } = await exec('npm', pack, { cwd: root })
  // npm 10 prints a list, npm 11 and later an object by package name.
  const packed = JSON.parse(stdout) as { filename: string }[] | Record<string, { filename: string }>
  const [tarball] = Object.values(packed)
  if (!tarball) throw new Error(`npm pack named no tarball: ${stdout}`)
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  await exec(
    'npm',
    ['install', '--prefer-offline', '--no-audit', '--no-fund', join(folder, tarball.filename)],
    { cwd: folder },
  )

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
