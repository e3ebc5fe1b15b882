/**
 * Reads one data file of this folder. In a checkout it is YAML; in the built package it is the JSON that the build
 * wrote from it, so that no parser is loaded.
 *
 * @module
 */

import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/**
 * `readData('tables')` returns the content of `tables.json` next to this module or, if it does not exist, of
 * `tables.yaml`.
 *
 * @throws if neither exists or the file cannot be parsed: a defect of the package, never of a target.
 */
export function readData(name: string): unknown {
  const json = new URL(`./${name}.json`, import.meta.url)
  if (existsSync(json)) return JSON.parse(readFileSync(json, 'utf8'))
  const yaml: typeof import('yaml') = require('yaml')
  return yaml.parse(readFileSync(new URL(`./${name}.yaml`, import.meta.url), 'utf8'))
}
