/**
 * What the field `id` checks in addition to a text field.
 *
 * @module
 */

import type { FieldCheckContext, FieldError } from '../vocabulary.ts'
import { fieldError } from './field-error.ts'

/** The default pattern of ids; ids that match it cannot contain what the checks below look for. */
export const defaultIdPattern = '^[a-z0-9]+$'

const forbidden = [
  '.',
  '/',
  '\\',
  '|',
  '"',
  "'",
  '`',
  '<',
  '>',
  ':',
  '?',
  '*',
  '%',
  '$',
  '\0',
  '\t',
  '\n',
  '\r',
  ' ',
]
const reserved = /^(?:con|prn|aux|nul|com[1-9]|lpt[1-9])$/i

const changed = fieldError('validation_pk_change', 'The record primary key cannot be changed.')
const taken = fieldError('validation_pk_invalid', 'The record primary key is invalid or already exists.')

/** Checks of an id in addition to its options (contract-records 3.8). */
export function checkRecordId(
  id: string,
  pattern: string,
  { stored, reader, table }: FieldCheckContext,
): FieldError | undefined {
  if (stored) return stored.id === id ? undefined : changed
  if (pattern === defaultIdPattern || id === '') return undefined
  const character = forbidden.find((one) => id.includes(one))
  if (character !== undefined) {
    return fieldError(
      'validation_forbidden_pk_character',
      `'${character}' is not a valid primary key character.`,
      { ch: character },
    )
  }
  if (reserved.test(id)) {
    return fieldError('validation_reserved_pk', `The primary key '${id}' is reserved and cannot be used.`, {
      reserved: id.toLowerCase(),
    })
  }
  return reader.hasFolded(table, id) ? taken : undefined
}
