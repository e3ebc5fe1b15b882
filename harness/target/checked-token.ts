import { ConfigurationError } from '../errors.ts'
import { isHeaderValue } from '../wire/header-value.ts'

/** @throws ConfigurationError that names the place and does not show the token */
export function checkedToken(token: string, place: string): string {
  if (isHeaderValue(token)) return token
  throw new ConfigurationError(
    'the token contains a line break or another invalid character',
    place,
    'use the token only, without a trailing line break',
  )
}
