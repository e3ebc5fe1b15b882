/**
 * Builds a published version of the living server family from its Go module.
 *
 * @module
 */

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const here = fileURLToPath(new URL('.', import.meta.url))
const cache = fileURLToPath(new URL('../../node_modules/.cache/living/versions/', import.meta.url))
const longestBuild = 1_200_000

/**
 * The binary of a version such as `v0.30.4`, built once with Go (some minutes) and kept in the cache folder.
 *
 * Its own code is built with the dependencies that it declares, apart from SQLite and the C library below it, which
 * take most of the time to compile: all versions share the dependencies of the newest one, from `scripts/living/go.mod`.
 *
 * @throws Error when Go is not installed, or the version cannot be loaded or compiled
 */
export async function livingVersion(version: string): Promise<string> {
  const folder = join(cache, version)
  const binary = join(folder, 'server')
  if (existsSync(binary)) return binary
  await mkdir(folder, { recursive: true })
  await copyFile(join(here, 'main.go'), join(folder, 'main.go'))
  await writeFile(join(folder, 'go.mod'), moduleOf(version, await readFile(join(here, 'go.mod'), 'utf8')))
  const options = { cwd: folder, timeout: longestBuild }
  await run('go', ['mod', 'tidy'], options)
  await run('go', ['build', '-p', '1', '-o', binary, '.'], options)
  return binary
}

/** @param newest the `go.mod` of the newest version */
function moduleOf(version: string, newest: string): string {
  const [go = ''] = /^go .*$/m.exec(newest) ?? []
  const shared = [...newest.matchAll(/modernc\.org\/(?:sqlite|libc) \S+/g)].map(([line]) => line)
  const required = [`github.com/pocketbase/pocketbase ${version}`, ...shared]
  return [
    'module living.test',
    '',
    go,
    '',
    'require (',
    ...required.map((each) => `\t${each}`),
    ')',
    '',
  ].join('\n')
}
