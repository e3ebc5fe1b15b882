/**
 * Errors of options that several field types share: in definitions, not in values.
 *
 * @module
 */

import type { FieldError } from '../vocabulary.ts'
import { fieldError } from './field-error.ts'
import type { DefinitionProblems } from './kind.ts'
import { compilePattern } from './pattern.ts'

/** An option below its bound. */
export function below(threshold: number): FieldError {
  return fieldError('validation_min_greater_equal_than_required', `Must be no less than ${threshold}.`, {
    threshold,
  })
}

/** An option above its bound. */
export function above(threshold: number): FieldError {
  return fieldError('validation_max_less_equal_than_required', `Must be no greater than ${threshold}.`, {
    threshold,
  })
}

/** Problems of the options that must not be negative. */
export function negative(options: Record<string, number>): DefinitionProblems {
  const problems: Record<string, FieldError> = {}
  for (const [name, value] of Object.entries(options)) if (value < 0) problems[name] = below(0)
  return problems
}

/** The error of a `pattern` option that is not a valid regular expression here. */
export function invalidPattern(pattern: string): DefinitionProblems {
  if (pattern === '') return {}
  try {
    compilePattern(pattern)
    return {}
  } catch (error) {
    return {
      pattern: fieldError('validation_invalid_regex', error instanceof Error ? error.message : String(error)),
    }
  }
}
