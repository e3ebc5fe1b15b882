/**
 * What in a lock file lets `npm ci` install something other than was locked, or fail on another system.
 *
 * @module
 */

export interface LockFile {
  packages: Record<string, LockedPackage>
}

interface LockedPackage {
  name?: string
  version?: string
  resolved?: string
  integrity?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

const folder = 'node_modules/'

/** Where npm finds a package that `place` depends on: in its own folder, or in the folder of a parent. */
function isLocked({ packages }: LockFile, place: string, name: string): boolean {
  for (let at = place; ; at = at.slice(0, Math.max(0, at.lastIndexOf(`/${folder}`)))) {
    if (packages[`${at}${at === '' ? '' : '/'}${folder}${name}`]) return true
    if (at === '') return false
  }
}

function flawsOf(lock: LockFile, place: string, locked: LockedPackage): string[] {
  const flaws: string[] = []
  const { dependencies, optionalDependencies, version, resolved, integrity } = locked
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies }))
    if (!isLocked(lock, place, name)) flaws.push(`needs ${name}, which has no entry`)
  if (place === '') return flaws

  const name = locked.name ?? place.slice(place.lastIndexOf(folder) + folder.length)
  const file = `${name.split('/').at(-1)}-${version}.tgz`
  const address = `https://registry.npmjs.org/${name}/-/${file}`
  if (resolved !== address) flaws.push(`has "resolved": ${resolved ?? 'nothing'}, not ${address}`)
  if (!/^sha512-[\w+/]{86}==$/.test(integrity ?? ''))
    flaws.push(`has "integrity": ${integrity ?? 'nothing'}, not a SHA-512`)
  return flaws
}

/** One line for each flaw: an entry without checksum or from another address, or a dependency without entry. */
export function lockFlaws(lock: LockFile): string[] {
  return Object.entries(lock.packages).flatMap(([place, locked]) =>
    flawsOf(lock, place, locked).map((flaw) => `${place || 'the project'} ${flaw}`),
  )
}
