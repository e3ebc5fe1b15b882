/**
 * Reads the baseline of known failures. A separate module, since few runs have one.
 *
 * @module
 */

import { readFileSync } from 'node:fs'
import { nearest } from '../../spec/nearest.ts'
import { ConfigurationError } from '../errors.ts'
import { parseYaml } from '../support/parse-yaml.ts'
import type { Status } from '../vocabulary/finding.ts'
import { type KnownEntry, type KnownStatus, knowable, unjudged } from './baseline.ts'

const keys = ['requirement', 'status', 'reason', 'sometimes', 'issue', 'expires']

/** @throws ConfigurationError if the file cannot be read, or names an unknown requirement, with the nearest id */
export function readBaseline(file: string, ids: readonly string[]): KnownEntry[] {
  const place = `--baseline ${file}`
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new ConfigurationError(
      `the baseline cannot be read (${(error as NodeJS.ErrnoException).code})`,
      place,
      '`conformance baseline update` writes one from a report',
    )
  }
  return parseBaseline(parseYaml('the baseline', place, text), file, ids)
}

/** @throws ConfigurationError */
export function parseBaseline(content: unknown, file: string, ids: readonly string[]): KnownEntry[] {
  const list = (content as { known?: unknown } | null)?.known ?? []
  if (!Array.isArray(list))
    throw mistake('"known" is not an array', file, 'use `known: []` with your entries')
  const seen = new Set<string>()
  return list.map((row: unknown, index) => {
    const place = `${file}, entry ${index + 1}`
    if (typeof row !== 'object' || row === null)
      throw mistake('an entry is not an object', place, 'use an object with "requirement" and "reason"')
    const entry = row as Record<string, unknown>
    for (const key of Object.keys(entry)) if (!keys.includes(key)) throw unknown('key', key, keys, place)
    const { requirement, status, reason, sometimes, issue, expires } = entry
    if (typeof requirement !== 'string')
      throw mistake('an entry has no requirement', place, 'add "requirement"')
    if (!ids.includes(requirement)) throw unknown('requirement', requirement, ids, place)
    if (seen.has(requirement))
      throw mistake(`${requirement} is listed twice`, place, 'remove one of the entries')
    seen.add(requirement)
    if (typeof reason !== 'string' || reason.trim() === '')
      throw mistake(`${requirement} has no reason`, place, 'add "reason": why the failure is accepted')
    if (unjudged.includes(status as Status))
      throw mistake(
        `${requirement} has the status ${String(status)}, which is not a failure`,
        place,
        'remove the entry, as `conformance baseline update` does: such a run stays incomplete',
      )
    if (status !== undefined && !knowable.includes(status as KnownStatus))
      throw unknown('status', String(status), knowable, place)
    if (sometimes !== undefined && sometimes !== true)
      throw mistake(`${requirement} has sometimes: ${String(sometimes)}`, place, 'use true, or remove it')
    const day = expires instanceof Date ? expires.toISOString().slice(0, 10) : expires
    if (day !== undefined && !(typeof day === 'string' && /^\d{4}-\d\d-\d\d$/.test(day)))
      throw mistake(`${requirement} expires at "${String(day)}"`, place, 'use a date in the form YYYY-MM-DD')
    return {
      requirement,
      reason,
      status: status as KnownStatus | undefined,
      sometimes: sometimes === true,
      issue: issue === undefined ? undefined : String(issue),
      expires: day,
    }
  })
}

function mistake(fact: string, place: string, next: string): ConfigurationError {
  return new ConfigurationError(fact, place, next)
}

function unknown(kind: string, word: string, all: readonly string[], place: string): ConfigurationError {
  const near = nearest(word, all)
  return new ConfigurationError(
    `unknown ${kind} "${word}"`,
    place,
    near === undefined ? `known: ${all.slice(0, 12).join(', ')}` : `did you mean "${near}"?`,
  )
}
