/**
 * Checks the options that a program passes. TypeScript finds a misspelled name, but JavaScript does not, and the run would
 * test something else.
 *
 * @module
 */

import { nearest } from '../../spec/nearest.ts'
import { ConfigurationError } from '../errors.ts'
import type { RunOptions } from '../generated/run-options.ts'
import { declaredOptions, levels, runOptions } from '../run-options.ts'

/** @throws ConfigurationError for an unknown option, and for a value that no run can use */
export function checkRunOptions(given: RunOptions): void {
  const known = Object.keys(runOptions)
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue
    const near = nearest(name, known)
    throw new ConfigurationError(
      `there is no option "${name}"`,
      'the options of the run',
      near === undefined ? `use ${known.join(', ')}` : `did you mean "${near}"?`,
    )
  }
  for (const name of ['only', 'skip'] as const)
    if (given[name] !== undefined && !Array.isArray(given[name]))
      throw new ConfigurationError(
        `"${name}" is not a list`,
        'the options of the run',
        `use an array: ${name}: [${JSON.stringify(given[name])}]`,
      )
  if (given.level !== undefined && !levels.includes(given.level))
    throw new ConfigurationError(
      `there is no level ${JSON.stringify(given.level)}`,
      'the options of the run',
      `use ${levels.join(', ')}`,
    )
  checkTarget(given.target)
}

/** @throws ConfigurationError also for an option that only `runConformance` and the command take */
export function checkSuiteOptions(given: RunOptions): void {
  checkRunOptions(given)
  for (const [name, { wholeRun, flags }] of declaredOptions())
    if (wholeRun && given[name] !== undefined)
      throw new ConfigurationError(
        `the option "${name}" has no effect here: your test runner decides which checks run`,
        'the options of the suite',
        `remove it, or use runConformance${flags === undefined ? '' : ` or npx conformance ${flags}`}`,
      )
}

/** A target that is ready for use, not the contents of a target file. */
function checkTarget(target: RunOptions['target']): void {
  if (target === undefined || typeof target === 'string') return
  const missing = (['baseUrl', 'binding', 'capabilities', 'tables', 'credentials'] as const).find(
    (name) => target?.[name] === undefined,
  )
  if (missing === undefined) return
  throw new ConfigurationError(
    `the target has no "${missing}"`,
    'the option "target" of the run',
    'pass the name of a target file, or a complete Target: the contents of a target file are not enough',
  )
}
