/**
 * Finds and loads the suite files: files ending in `.suite.ts` under `suites/` in a checkout, `.js` in the package.
 *
 * @module
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Check, collectChecks } from '../check.ts'

/** A check to run, by its id and file. */
export interface PlannedCheck {
  id: string
  /** Suite file, relative to `suites/`, without its ending: `document/lists/pagination`. */
  suite: string
}

export interface SuiteCheck extends Check, PlannedCheck {}

// Functions: in a CommonJS bundle there is no place, and `readData` says what to do.
const folder = () => fileURLToPath(new URL('../../suites/', import.meta.url))
const ending = () => `.suite${extname(import.meta.url)}`

/** Written by the build for `listChecks`. A checkout has none. */
const indexFile = () => `${folder()}index.json`

/** By suite file. Node evaluates each only once. */
const loaded = new Map<string, SuiteCheck[]>()
let loading: Promise<void> = Promise.resolve()

/**
 * The checks that `loadSuites` would find, by id and file. If the build has listed them, no suite is loaded.
 *
 * @throws Error when two checks have the same id
 */
export async function listChecks(): Promise<readonly PlannedCheck[]> {
  const index = indexFile()
  if (existsSync(index)) return JSON.parse(readFileSync(index, 'utf8')) as PlannedCheck[]
  return (await loadSuites()).map(({ id, suite }) => ({ id, suite }))
}

/**
 * All checks of all suite files, in file order; files by name, those about the existence of operations (`operations`)
 * first: a missing one blocks the checks that need it. Those about every exchange (`wire`) come last.
 *
 * @throws Error when two checks have the same id
 */
export async function loadSuites(): Promise<readonly SuiteCheck[]> {
  const suites = suiteNames()
  const checks = new Map<string, SuiteCheck>()
  for (const check of await checksOf(suites)) {
    const other = checks.get(check.id)
    if (other !== undefined)
      throw new Error(
        `The requirement "${check.id}" has two checks: in ${other.suite} and in ${check.suite}.`,
      )
    checks.set(check.id, check)
  }
  return [...checks.values()]
}

/**
 * Loads the planned checks in their order, from their suite files only.
 *
 * @throws Error if a suite file does not contain the check
 */
export async function loadPlanned(planned: readonly PlannedCheck[]): Promise<readonly SuiteCheck[]> {
  const checks = await checksOf(new Set(planned.map(({ suite }) => suite)))
  const byId = new Map(checks.map((check) => [check.id, check]))
  return planned.map(({ id, suite }) => {
    const check = byId.get(id)
    if (check === undefined) throw new Error(`There is no check of "${id}" in ${suite}.`)
    return check
  })
}

function suiteNames(): string[] {
  const end = ending()
  return readdirSync(folder(), { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith(end))
    .map((file) => file.slice(0, -end.length))
    .sort((a, b) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1))
}

function placeOf(suite: string): number {
  if (basename(suite) === 'operations') return -1
  return runsLast(suite) ? 1 : 0
}

/** Whether the checks of a suite file come after all others: they are about every exchange of a run. */
export function runsLast(suite: string): boolean {
  return basename(suite) === 'wire'
}

async function checksOf(suites: Iterable<string>): Promise<SuiteCheck[]> {
  const names = [...suites]
  // One after the other: the checks of a file go to the current collector.
  loading = loading.then(async () => {
    for (const name of names) await load(name)
  })
  await loading
  return names.flatMap((name) => loaded.get(name) ?? [])
}

async function load(suite: string): Promise<void> {
  if (loaded.has(suite)) return
  const checks: SuiteCheck[] = []
  loaded.set(suite, checks)
  collectChecks((check) => void checks.push({ ...check, suite }))
  await import(pathToFileURL(`${folder()}${suite}${ending()}`).href)
}
