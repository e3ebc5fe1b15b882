/**
 * Which tests need `dist`, and which have their runs in the process of the test: read out of the tests themselves, since
 * a list of them would be found short only where nothing is built.
 *
 * @module
 */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Imports of what runs the built command or a script on it, and paths of built files. */
const built =
  /\/(?:command|run-command|serve-process|target-runs|installed-package|run-kills|read-surface)\.ts'|'[./]+\/dist\//
const runsHere = /\/(?:run-here|blog)\.ts'/

/** @returns their paths, from the root of the repository */
export function testsOnBuild(folders: readonly string[]): string[] {
  return testsWith(built, folders).filter((path) => !holds(runsHere, path))
}

/** @returns their paths, from the root of the repository */
export function testsWithRunsHere(folders: readonly string[]): string[] {
  return testsWith(runsHere, folders)
}

function testsWith(imports: RegExp, folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
      .filter((path) => path.endsWith('.test.ts') && holds(imports, path)),
  )
}

function holds(imports: RegExp, path: string): boolean {
  return imports.test(readFileSync(join(root, path), 'utf8'))
}
