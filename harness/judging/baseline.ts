/**
 * Known failures: a file that says which findings are accepted for now, and why. Pure, but for `readBaseline`.
 *
 * A finding that is listed stays in the report and is counted as known. What no longer fails, what has expired and what
 * is spelt wrong is a problem: a list that nobody tends would hide things.
 *
 * @module
 */

import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { nearest } from '../../spec/nearest.ts'
import { ConfigurationError } from '../errors.ts'
import type { Finding, Status } from '../vocabulary/findings.ts'

/** Outcomes that can be known. The others never count against a target. */
export type KnownStatus = Extract<Status, 'fail' | 'warn' | 'blocked' | 'untestable'>

export interface KnownEntry {
  requirement: string
  /** Absent: whichever of the four. */
  status?: KnownStatus
  reason: string
  /** Where it is being dealt with. */
  issue?: string
  /** Last day on which the entry holds, `YYYY-MM-DD`. */
  expires?: string
}

export interface BaselineOutcome {
  findings: Finding[]
  /** What is wrong with the list, one sentence each. Any of them makes the verdict non-conformant. */
  problems: string[]
  known: number
}

export const knowable: readonly KnownStatus[] = ['fail', 'warn', 'blocked', 'untestable']
const keys = ['requirement', 'status', 'reason', 'issue', 'expires']

/** @throws ConfigurationError when the file cannot be read, or names what does not exist, with the nearest id */
export function readBaseline(file: string, ids: readonly string[]): KnownEntry[] {
  try {
    return parseBaseline(parse(readFileSync(file, 'utf8')), file, ids)
  } catch (error) {
    if (error instanceof ConfigurationError) throw error
    const { code, message } = error as NodeJS.ErrnoException
    throw new ConfigurationError(
      `the baseline cannot be read (${code ?? message.split('\n')[0]})`,
      `--baseline ${file}`,
      '`conformance baseline update` writes one from a report',
    )
  }
}

/** @throws ConfigurationError */
export function parseBaseline(content: unknown, file: string, ids: readonly string[]): KnownEntry[] {
  const list = (content as { known?: unknown } | null)?.known ?? []
  if (!Array.isArray(list)) throw mistake('"known" is no list', file, 'write `known: []`, with entries in it')
  const seen = new Set<string>()
  return list.map((row: unknown, index) => {
    const place = `${file}, entry ${index + 1}`
    if (typeof row !== 'object' || row === null)
      throw mistake('an entry is no object', place, 'give it requirement and reason')
    const entry = row as Record<string, unknown>
    for (const key of Object.keys(entry)) if (!keys.includes(key)) throw unknown('key', key, keys, place)
    const { requirement, status, reason, issue, expires } = entry
    if (typeof requirement !== 'string')
      throw mistake('an entry names no requirement', place, 'add "requirement"')
    if (!ids.includes(requirement)) throw unknown('requirement', requirement, ids, place)
    if (seen.has(requirement))
      throw mistake(`${requirement} is listed twice`, place, 'keep one of the entries')
    seen.add(requirement)
    if (typeof reason !== 'string' || reason.trim() === '')
      throw mistake(`${requirement} has no reason`, place, 'say why it is accepted')
    if (status !== undefined && !knowable.includes(status as KnownStatus))
      throw unknown('status', String(status), knowable, place)
    const day = expires instanceof Date ? expires.toISOString().slice(0, 10) : expires
    if (day !== undefined && !(typeof day === 'string' && /^\d{4}-\d\d-\d\d$/.test(day)))
      throw mistake(`${requirement} expires at "${String(day)}"`, place, 'write a day as YYYY-MM-DD')
    return {
      requirement,
      reason,
      ...(status === undefined ? {} : { status: status as KnownStatus }),
      ...(issue === undefined ? {} : { issue: String(issue) }),
      ...(day === undefined ? {} : { expires: day }),
    }
  })
}

/**
 * Marks the findings that are known.
 *
 * @param today `YYYY-MM-DD`
 * @param selected whether the run was asked for a requirement: entries about others are left alone
 */
export function applyBaseline(
  findings: readonly Finding[],
  entries: readonly KnownEntry[],
  today: string,
  selected: (requirement: string) => boolean = () => true,
): BaselineOutcome {
  const byId = new Map(entries.map((entry) => [entry.requirement, entry]))
  const problems: string[] = []
  let known = 0
  const marked = findings.map((finding) => {
    const entry = byId.get(finding.requirement)
    if (entry === undefined) return finding
    byId.delete(finding.requirement)
    const problem = problemOf(finding, entry, today)
    if (problem !== undefined) {
      problems.push(problem)
      return finding
    }
    known += 1
    const { reason, issue, expires } = entry
    return {
      ...finding,
      known: {
        reason,
        ...(issue === undefined ? {} : { issue }),
        ...(expires === undefined ? {} : { expires }),
      },
    }
  })
  for (const id of byId.keys())
    if (selected(id)) problems.push(`${id} is listed as known, but was not checked: remove the entry`)
  return { findings: marked, problems, known }
}

function problemOf(finding: Finding, { status, expires }: KnownEntry, today: string): string | undefined {
  const { requirement } = finding
  if (finding.status === 'pass') return `${requirement} is listed as known, but passes: remove the entry`
  if (!(knowable as readonly Status[]).includes(finding.status))
    return `${requirement} is listed as known, but is ${finding.status}: remove the entry`
  if (status !== undefined && status !== finding.status)
    return `${requirement} is listed as ${status}, but is ${finding.status}: correct the entry`
  if (expires !== undefined && expires < today)
    return `${requirement} is listed as known until ${expires}: mend it, or set another day`
  return undefined
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
