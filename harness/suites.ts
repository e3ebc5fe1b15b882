/**
 * Finds and loads the suite files: files ending in `.suite.ts` under `suites/` in a checkout, `.js` in the package.
 *
 * @module
 */

import { readdirSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Check, collectChecks } from './check.ts'

export interface SuiteCheck extends Check {
  /** Suite file, relative to `suites/`, without its ending: `lists/paging`. */
  suite: string
}

const folder = fileURLToPath(new URL('../suites/', import.meta.url))
const ending = `.suite${extname(import.meta.url)}`

let loaded: Promise<readonly SuiteCheck[]> | undefined

/**
 * All checks of all suite files, in file order; files by name, those about every exchange (`wire`) last.
 *
 * @throws Error when two checks have the same id
 */
export function loadSuites(): Promise<readonly SuiteCheck[]> {
  loaded ??= load()
  return loaded
}

/** Suite files as paths relative to `suites/`. */
function suiteFiles(): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith(ending))
    .sort((a, b) => Number(a.startsWith('wire')) - Number(b.startsWith('wire')) || (a < b ? -1 : 1))
}

async function load(): Promise<readonly SuiteCheck[]> {
  const checks = new Map<string, SuiteCheck>()
  for (const file of suiteFiles()) {
    const suite = file.slice(0, -ending.length)
    collectChecks((check) => {
      const twin = checks.get(check.id)
      if (twin !== undefined)
        throw new Error(`The requirement "${check.id}" has two checks: in ${twin.suite} and in ${suite}.`)
      checks.set(check.id, { ...check, suite })
    })
    await import(pathToFileURL(folder + file).href)
  }
  return [...checks.values()]
}
