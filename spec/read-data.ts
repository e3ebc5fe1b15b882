/**
 * Reads one data file of this folder. In a checkout it is YAML, with a parsed copy once something was compiled; in the built
 * package it is the JSON that the build wrote from it, so that no parser is loaded.
 *
 * @module
 */

import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/**
 * `readData('tables')` returns the content of `tables.json` next to this module or, if it does not exist, of
 * `tables.yaml`. The package has its JSON Schemas in `spec/` alone, where users import them.
 *
 * @throws if neither exists or the file cannot be parsed: a defect of the package, or of how it was bundled, never of a
 * target.
 */
export function readData(name: string): unknown {
  const json = [`${name}.json`, `../../spec/${name}.json`].map(placeOf).find((place) => existsSync(place))
  if (json !== undefined) return JSON.parse(readFileSync(json, 'utf8'))
  const yaml = placeOf(`${name}.yaml`)
  if (!existsSync(yaml)) throw isBundled(`${name}.json`)
  const source = readFileSync(yaml, 'utf8')
  // Parsing all files takes most of a second.
  const place = parsedCopy(name)
  const copy = existsSync(place) && (JSON.parse(readFileSync(place, 'utf8')) as ParsedCopy)
  if (copy && copy.source === source) return copy.content
  // Here, and not at the top: a CommonJS bundle has no `import.meta.url`.
  const parser: typeof import('yaml') = createRequire(import.meta.url)('yaml')
  return parser.parse(source)
}

/** The content of a data file, and the text that it was parsed from: it counts until the text changes. */
export interface ParsedCopy {
  source: string
  content: unknown
}

/** Where a checkout has the copy of `NAME.yaml`. */
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
