/**
 * Completes `package-lock.json` after `npm install` on a registry that does not carry every platform's build of a
 * package: npm leaves such optional packages out of the lock file, and `npm ci` then refuses it everywhere.
 *
 * Each missing one is entered with the version that its parent pins, and with the system its name tells, so that it is
 * skipped where it does not fit. Run with `npm run lock`.
 *
 * @module
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

interface LockedPackage {
  version?: string
  dev?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optionalDependencies?: Record<string, string>
}

interface LockFile {
  packages: Record<string, LockedPackage>
}

const systems = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
]
const processors = [
  'arm64',
  'arm',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
  'x64',
]

/** The first of `words` that stands in a package's name between dashes or slashes, longer ones first. */
function named(name: string, words: readonly string[]): string[] {
  const parts = name.split(/[-/]/)
  const found = words.find((word) => parts.includes(word))
  return found === undefined ? [] : [found]
}

/** Packages that the lock file names as optional and does not hold, ready to be entered. */
function missingPackages({ packages }: LockFile): Record<string, LockedPackage> {
  const missing: Record<string, LockedPackage> = {}
  for (const [place, parent] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
      const nested = `${place}/node_modules/${name}`
      const top = `node_modules/${name}`
      if (packages[nested] || packages[top] || !/^\d/.test(version)) continue
      const [os, cpu] = [named(name, systems), named(name, processors)]
      missing[top] = {
        version,
        ...(parent.dev && { dev: true }),
        optional: true,
        ...(os.length > 0 && { os }),
        ...(cpu.length > 0 && { cpu }),
        ...(name.endsWith('-musl') && { libc: ['musl'] }),
        ...(name.endsWith('-gnu') && { libc: ['glibc'] }),
      }
    }
  }
  return missing
}

const path = fileURLToPath(new URL('../package-lock.json', import.meta.url))
const lock = JSON.parse(readFileSync(path, 'utf8')) as LockFile
const missing = missingPackages(lock)
const packages = Object.entries({ ...lock.packages, ...missing }).sort(([a], [b]) => (a < b ? -1 : 1))
writeFileSync(path, `${JSON.stringify({ ...lock, packages: Object.fromEntries(packages) }, null, 2)}\n`)
console.log(`${Object.keys(missing).length} optional packages entered in package-lock.json.`)
