/**
 * What the values of a field look like, for values from code and for the log: a field converts anything, and what does not
 * have this form becomes its zero value.
 *
 * @module
 */

export interface ValueForm {
  /** For messages: `a number`. */
  readonly name: string
  /** Over HTTP, where there are no records and no objects of a class. @default `name` */
  readonly overHttp?: string
  /** The field may hold a list: `fits` is about each value of it. */
  readonly list?: true
  /** Whether the field keeps what the value says. Not called for null, undefined and the empty string. */
  fits(value: unknown): boolean
}

/** A date becomes its text in ISO 8601. */
export const textForm: ValueForm = {
  name: 'a string',
  fits: (value) => isScalar(value) || value instanceof Date,
}

/** One element that is not a scalar would empty the whole list. */
export const listForm: ValueForm = {
  name: 'a string, or an array of strings',
  list: true,
  fits: (part) => part === null || part === undefined || textForm.fits(part),
}

export function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}
