/**
 * Headers that a run sends with every request, for a gateway before the target. A value that is the name of a variable,
 * `$GATEWAY_KEY`, is read from the environment, and is shown by that name in every report.
 *
 * @module
 */

import { isVariable } from '../../exchange/secrets/secret-names.ts'
import { ConfigurationError } from '../errors.ts'
import { isHeaderValue } from './header-value.ts'

/**
 * The values as they are sent.
 *
 * @throws ConfigurationError if a variable is not set, or a value cannot be sent
 */
export function configuredHeaders(
  headers: Readonly<Record<string, string>> = {},
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      if (!isVariable(value)) return [name, sendable(value, name, value)]
      const key = value.slice(1)
      const secret = environment[key]
      if (secret !== undefined && secret !== '') return [name, sendable(secret, name, value)]
      throw new ConfigurationError(
        `the environment variable for ${value} is not set`,
        `--header ${name}:${value}`,
        `export ${key}, or use another value for the header`,
      )
    }),
  )
}

/** @param shown the value as it was given: for a secret, its name */
function sendable(value: string, name: string, shown: string): string {
  if (isHeaderValue(value)) return value
  throw new ConfigurationError(
    'the value of the header contains a line break or another invalid character',
    `--header ${name}:${shown}`,
    isVariable(shown) ? `correct ${shown.slice(1)}` : 'use ASCII characters',
  )
}
