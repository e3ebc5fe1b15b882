/**
 * Reads the JSON report of a run.
 *
 * @module
 */

import { readFileSync } from 'node:fs'
import { isObject } from '../exchange/json-object.ts'
import { ConfigurationError } from '../harness/errors.ts'
import type { RunReport } from '../harness/vocabulary/report.ts'

/**
 * @param flag how the file was given, for the message
 * @throws ConfigurationError when the file cannot be read, or is not a report
 */
export function readReport(file: string, flag: string): RunReport {
  const report = read(file, flag, (finding) => hasStrings(finding, ['statement', 'level', 'basis', 'source']))
  const { target, verdict, suite, startedAt } = report
  const isWhole =
    hasStrings(target, ['baseUrl']) &&
    hasStrings(verdict, ['outcome']) &&
    Array.isArray(verdict.lines) &&
    hasStrings(suite, ['name', 'version']) &&
    typeof startedAt === 'string'
  if (!isWhole) throw unusable(flag, 'it has no verdict')
  return report
}

/** Only what a baseline is made from. @throws as `readReport` */
export function readFindings(file: string, flag: string): Pick<RunReport, 'findings' | 'strict'> {
  return read(file, flag, () => true)
}

function read(file: string, flag: string, isUsable: (finding: unknown) => boolean): RunReport {
  try {
    const content: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (!isObject(content) || !Array.isArray(content.findings)) throw new Error('it has no "findings"')
    const odd = content.findings.findIndex(
      (finding: unknown) => !hasStrings(finding, ['requirement', 'status', 'message']) || !isUsable(finding),
    )
    if (odd >= 0) throw new Error(`findings[${odd}] is not a finding`)
    return content as unknown as RunReport
  } catch (error) {
    if (error instanceof SyntaxError) throw new ConfigurationError(`${file} is not a JSON report`, flag, next)
    const { code, message } = error as NodeJS.ErrnoException
    throw unusable(flag, code ?? message)
  }
}

function hasStrings(value: unknown, keys: readonly string[]): boolean {
  return isObject(value) && keys.every((key) => typeof value[key] === 'string')
}

const next = 'write one with `conformance --report json=FILE`'

function unusable(flag: string, why: string): ConfigurationError {
  return new ConfigurationError(`the report cannot be read (${why})`, flag, next)
}
