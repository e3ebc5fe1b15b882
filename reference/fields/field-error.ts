import type { FieldError, Json } from '../vocabulary.ts'

/** A field error; `params` are left out when there are none (contract-records 7). */
export function fieldError(code: string, message: string, params?: Record<string, Json>): FieldError {
  return params ? { code, message, params } : { code, message }
}

/** The one error of every field that must not be empty and is. */
export const required: FieldError = Object.freeze({
  code: 'validation_required',
  message: 'Cannot be blank.',
})

/** Characters of a value that an error shows: no error is as large as what was sent. */
const longestShown = 255

/** What an error shows of a value that was sent. */
export function shortenedValue(text: string): string {
  return text.length > longestShown ? `${text.slice(0, longestShown).toWellFormed()}…` : text
}
