/**
 * Reads one data file of this folder. In a checkout it is YAML, and `scripts/compile-validators.ts` leaves a parsed copy; in
 * the built package it is the JSON that the build wrote from it, so that no parser is loaded.
 *
 * @module
 */

import { existsSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'

/**
 * `readData('tables')` returns the content of `tables.json` next to this module or, if it does not exist, of
 * `tables.yaml`.
 *
 * @throws if neither exists or the file cannot be parsed: a defect of the package, or of how it was bundled, never of a
 * target.
 */
export function readData(name: string): unknown {
  const json = placeOf(`${name}.json`)
  if (existsSync(json)) return JSON.parse(readFileSync(json, 'utf8'))
  const source = placeOf(`${name}.yaml`)
  if (!existsSync(source)) throw isBundled(`${name}.json`)
  const copy = parsedCopy(name)
  // Parsing all of them takes most of a second.
  if (existsSync(copy) && statSync(copy).mtimeMs > statSync(source).mtimeMs)
    return JSON.parse(readFileSync(copy, 'utf8'))
  // Here, and not at the top: a CommonJS bundle has no `import.meta.url`.
  const yaml: typeof import('yaml') = createRequire(import.meta.url)('yaml')
  return yaml.parse(readFileSync(source, 'utf8'))
}

/** Where a checkout has the content of `NAME.yaml` as JSON, which counts until the source changes. */
export function parsedCopy(name: string): URL {
  return placeOf(`../.cache/spec/${name}.json`)
}

function placeOf(file: string): URL {
  try {
    return new URL(`./${file}`, import.meta.url)
  } catch {
    throw isBundled(file)
  }
}

function isBundled(file: string): Error {
  return new Error(
    `record-auth-conformance cannot find spec/${file}, a file of its own. If this program is bundled, mark the package ` +
      'as external: only the reference and the validator can be part of a bundle. If it is not, install it again.',
  )
}
