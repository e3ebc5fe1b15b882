/**
 * Errors of fields, as the `data` of an error response contains them.
 *
 * @module
 */

import type { FieldError, Json } from '../vocabulary.ts'

/** A field error; `params` is left out if there are none (contract-records 7). */
export function fieldError(code: string, message: string, params?: Record<string, Json>): FieldError {
  return params ? { code, message, params } : { code, message }
}

/** The error of every required field that is empty. */
export const required: FieldError = Object.freeze({
  code: 'validation_required',
  message: 'Cannot be blank.',
})

/** The error of a value that the field's `pattern` does not match. */
export const invalidFormat: FieldError = fieldError('validation_invalid_format', 'Invalid value format.')

/** The error of a name or an option that is malformed. */
export const malformed: FieldError = fieldError('validation_match_invalid', 'Must be in a valid format.')

/** The error of a value that is one of those that are not allowed. */
export const notAllowed: FieldError = fieldError('validation_not_in_invalid', 'Must not be in list.')

/** Most characters of a value in an error: an error must not be as large as the request. */
const longestShown = 255

/** The part of a sent value that an error shows. */
export function shortenedValue(text: string): string {
  return text.length > longestShown ? `${text.slice(0, longestShown).toWellFormed()}…` : text
}
