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
